resource "aws_db_subnet_group" "paraph" {
  name       = "paraph-${var.region}"
  subnet_ids = var.subnet_ids
}

resource "aws_security_group" "database" {
  name        = "paraph-${var.region}-database"
  description = "PostgreSQL of Paraph"
  vpc_id      = var.vpc_id
}

resource "aws_vpc_security_group_ingress_rule" "database" {
  security_group_id            = aws_security_group.database.id
  referenced_security_group_id = var.cluster_security_group_id
  ip_protocol                  = "tcp"
  from_port                    = 5432
  to_port                      = 5432
}

resource "random_password" "database" {
  for_each = toset(["owner", "server"])
  length   = 40
  special  = false
}

# The master of the instance owns the schema. The role of the server is made once, by hand: README.md has the two lines.
resource "aws_db_instance" "paraph" {
  identifier                   = "paraph-${var.region}"
  engine                       = "postgres"
  engine_version               = "18"
  instance_class               = var.database_class
  allocated_storage            = 100
  max_allocated_storage        = 2000
  storage_type                 = "gp3"
  storage_encrypted            = true
  multi_az                     = true
  db_name                      = "paraph"
  username                     = "paraph_owner"
  password                     = random_password.database["owner"].result
  db_subnet_group_name         = aws_db_subnet_group.paraph.name
  vpc_security_group_ids       = [aws_security_group.database.id]
  publicly_accessible          = false
  backup_retention_period      = var.backup_days
  copy_tags_to_snapshot        = true
  deletion_protection          = true
  skip_final_snapshot          = false
  final_snapshot_identifier    = "paraph-${var.region}-last"
  auto_minor_version_upgrade   = true
  performance_insights_enabled = true
}

locals {
  database_url = {
    for role, name in { owner = "paraph_owner", server = "paraph_server" } :
    role => "postgresql://${name}:${random_password.database[role].result}@${aws_db_instance.paraph.address}:5432/paraph?sslmode=verify-full&sslrootcert=/run/secrets/server/database-ca.pem"
  }
}
