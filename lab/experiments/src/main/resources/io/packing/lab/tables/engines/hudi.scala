// Tables of Hudi by Spark's shell. HudiTrial sets places and types, and reads the lines that begin with "table" and "row".
import org.apache.spark.sql.SaveMode

def write(path: String, kind: String, operation: String, from: Int, to: Int): Unit = {
  val options = Map(
    "hoodie.table.name" -> "rows",
    "hoodie.datasource.write.table.type" -> kind,
    "hoodie.datasource.write.recordkey.field" -> "id",
    "hoodie.datasource.write.partitionpath.field" -> "part",
    "hoodie.datasource.write.precombine.field" -> "version",
    "hoodie.datasource.write.operation" -> operation,
    "hoodie.compact.inline" -> (kind == "MERGE_ON_READ").toString,
    "hoodie.compact.inline.max.delta.commits" -> "2") ++
    Seq("insert", "bulkinsert", "upsert", "delete").map(each => s"hoodie.$each.shuffle.parallelism" -> "2")
  spark.sql(s"select id, cast($from as bigint) as version, cast(id % 3 as string) as part from range($from, $to)")
    .write.format("hudi").options(options)
    .mode(if (operation == "bulk_insert") SaveMode.Overwrite else SaveMode.Append)
    .save(path)
}

var first = 0L
try {
  for (place <- Seq(PLACES); kind <- Seq(TYPES)) {
    val path = place + "/" + kind.toLowerCase
    write(path, kind, "bulk_insert", 0, 100)
    for (step <- 1 until 4) write(path, kind, "upsert", 10 * step, 10 * step + 100)
    write(path, kind, "delete", 40, 45)
    val table = spark.read.format("hudi").load(path)
    // Upserts have replaced the versions of rows that were there.
    val newest = table.where("version = 30").count()
    if (newest != 95) throw new IllegalStateException(s"$path has $newest rows of the last upsert")
    table.select("id").collect().foreach(row => println("row " + (first + row.getLong(0))))
    println(s"table $path")
    first += 1000
  }
  sys.exit(0)
} catch {
  case e: Throwable =>
    e.printStackTrace()
    sys.exit(1)
}
