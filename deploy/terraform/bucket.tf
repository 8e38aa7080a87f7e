# Objects are written once. What is deleted stays as an older version for as long as there are backups of a database that names it, and
# nobody, with whatever key, can take it away earlier. Nothing in it can be opened without the operator's key.
resource "aws_s3_bucket" "documents" {
  bucket_prefix       = "paraph-${var.region}-"
  object_lock_enabled = true
  lifecycle { prevent_destroy = true }
}

resource "aws_s3_bucket_versioning" "documents" {
  bucket = aws_s3_bucket.documents.id
  versioning_configuration { status = "Enabled" }
}

resource "aws_s3_bucket_object_lock_configuration" "documents" {
  bucket = aws_s3_bucket.documents.id
  rule {
    default_retention {
      mode = "GOVERNANCE"
      days = var.backup_days
    }
  }
}

# Older versions alone; a rule that removed current objects would lose documents.
resource "aws_s3_bucket_lifecycle_configuration" "documents" {
  bucket = aws_s3_bucket.documents.id
  rule {
    id     = "older versions"
    status = "Enabled"
    filter {}
    noncurrent_version_expiration { noncurrent_days = var.backup_days }
    expiration { expired_object_delete_marker = true }
  }
}

resource "aws_s3_bucket_public_access_block" "documents" {
  bucket                  = aws_s3_bucket.documents.id
  block_public_acls       = true
  block_public_policy     = true
  ignore_public_acls      = true
  restrict_public_buckets = true
}

resource "aws_iam_user" "server" {
  name = "paraph-${var.region}"
}

resource "aws_iam_user_policy" "server" {
  name = "documents"
  user = aws_iam_user.server.name
  policy = jsonencode({
    Version = "2012-10-17"
    Statement = [
      { Effect = "Allow", Action = ["s3:ListBucket"], Resource = aws_s3_bucket.documents.arn },
      {
        Effect   = "Allow"
        Action   = ["s3:PutObject", "s3:GetObject", "s3:DeleteObject"]
        Resource = "${aws_s3_bucket.documents.arn}/documents/*"
      }
    ]
  })
}

resource "aws_iam_access_key" "server" {
  user = aws_iam_user.server.name
}
