module paraph.test/tlog

go 1.26

require golang.org/x/mod v0.30.0
