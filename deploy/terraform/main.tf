# An example on AWS: a managed PostgreSQL, a bucket that keeps versions, and the Helm release in a cluster that you have. One directory
# of state, and one run, for each region: two regions share nothing (docs/two-regions.md).

terraform {
  required_version = ">= 1.9"
  required_providers {
    aws        = { source = "hashicorp/aws", version = "~> 6.0" }
    helm       = { source = "hashicorp/helm", version = "~> 3.0" }
    kubernetes = { source = "hashicorp/kubernetes", version = "~> 2.38" }
    random     = { source = "hashicorp/random", version = "~> 3.7" }
  }
  # The state has the passwords in it: keep it where it is encrypted, in the same region.
  backend "s3" {}
}

provider "aws" {
  region = var.aws_region
  default_tags { tags = { service = "paraph", region = var.region } }
}

provider "kubernetes" {
  config_path    = var.kubeconfig
  config_context = var.kube_context
}

provider "helm" {
  kubernetes = {
    config_path    = var.kubeconfig
    config_context = var.kube_context
  }
}
