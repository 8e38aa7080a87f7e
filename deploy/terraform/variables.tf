variable "region" {
  description = "REGION of the product: ch or de."
  type        = string
  validation {
    condition     = contains(["ch", "de"], var.region)
    error_message = "ch or de."
  }
}

variable "aws_region" {
  description = "Where everything stands: eu-central-2 is Zurich, eu-central-1 is Frankfurt."
  type        = string
  validation {
    condition     = var.aws_region == { ch = "eu-central-2", de = "eu-central-1" }[var.region]
    error_message = "The data of a region stay in its country."
  }
}

variable "kubeconfig" {
  description = "File with the way to the cluster."
  type        = string
}

variable "kube_context" {
  description = "Its context."
  type        = string
}

variable "vpc_id" {
  description = "Network of cluster and database."
  type        = string
}

variable "subnet_ids" {
  description = "Private subnets of it, in two zones at least."
  type        = list(string)
}

variable "cluster_security_group_id" {
  description = "Security group of the cluster's nodes: they alone reach the database."
  type        = string
}

variable "database_class" {
  description = "Size of the database."
  type        = string
  default     = "db.m7g.large"
}

variable "backup_days" {
  description = "Days for which backups of the database and deleted objects are kept. Somebody who was erased is gone after that."
  type        = number
  default     = 30
}

variable "image" {
  description = "Repository and digest of the image."
  type        = object({ repository = string, digest = string })
}

variable "values_files" {
  description = "Values of the chart, the last one counts most, such as ../examples/two-regions/both.yaml and ch.yaml."
  type        = list(string)
}
