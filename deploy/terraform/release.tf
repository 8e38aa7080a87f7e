resource "kubernetes_namespace" "paraph" {
  metadata {
    name   = "paraph"
    labels = { "pod-security.kubernetes.io/enforce" = "restricted" }
  }
}

# What Terraform knows anyway. The operator's key, the pepper and the PINs are not among it: they never pass through its state, and are
# in the Secrets paraph-server and paraph-worker, which you make.
resource "kubernetes_secret" "migration" {
  metadata {
    name      = "paraph-migration"
    namespace = kubernetes_namespace.paraph.metadata[0].name
  }
  data = { "database-owner-url" = local.database_url.owner }
}

output "server_secret" {
  description = "What belongs in the Secret paraph-server beside key-pepper, kek, token-key.pem and database-ca.pem."
  sensitive   = true
  value = {
    "database-url"  = local.database_url.server
    "s3-access-key" = aws_iam_access_key.server.id
    "s3-secret-key" = aws_iam_access_key.server.secret
  }
}

resource "helm_release" "paraph" {
  name      = "paraph"
  namespace = kubernetes_namespace.paraph.metadata[0].name
  chart     = "${path.module}/../helm/paraph"
  # A worker is not ready before `paraph ca init`.
  wait = false
  values = concat([for file in var.values_files : file(file)], [yamlencode({
    image = var.image
    settings = {
      REGION      = var.region
      S3_ENDPOINT = "https://s3.${var.aws_region}.amazonaws.com"
      S3_REGION   = var.aws_region
      S3_BUCKET   = aws_s3_bucket.documents.id
    }
  })])
  depends_on = [kubernetes_secret.migration]
}
