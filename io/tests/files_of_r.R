# Writes the files r_* of tests/files: Rscript model/tests/files_of_r.R model/tests/files (R 4.2.2, igraph 1.3.5, Matrix 1.5.3).
library(igraph)
library(Matrix)

setwd(commandArgs(trailingOnly = TRUE)[1])
edges <- read.table("igraph.ncol", col.names = c("from", "to")) # the Florentine families
edges$weight <- 1 + seq_len(nrow(edges)) / 2
write.csv(edges, "r_write_csv.csv")
write.csv(edges[1:2], "r_write_csv_no_names.csv", row.names = FALSE)
write.csv2(edges, "r_write_csv2.csv")
write.table(edges, "r_write_table.txt")
write.table(edges[1:2], "r_write_table_plain.txt", quote = FALSE, row.names = FALSE, col.names = FALSE)

families <- graph_from_data_frame(edges[1:2], directed = FALSE)
matrix <- as_adjacency_matrix(families)
write.csv(as.matrix(matrix), "r_matrix.csv")
write.table(as.matrix(matrix), "r_matrix.txt")
invisible(writeMM(matrix, "r_matrix.mtx"))

named <- set_vertex_attr(families, "id", value = V(families)$name) # what Pajek's names are taken from
karate <- make_graph("Zachary")
for (format in c("edgelist", "pajek", "ncol", "graphml", "gml", "lgl", "leda", "dot")) {
  write_graph(if (format == "pajek") named else families, paste0("r_igraph.", format), format)
  if (!format %in% c("lgl", "leda", "dot")) {
    write_graph(karate, paste0("r_igraph_zachary.", format), format)
  }
}
