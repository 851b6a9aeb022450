// SPDX-License-Identifier: Apache-2.0
package io.packing.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.it.spark.TablesJob;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Table formats by Spark's own SQL and writers. {@code -Dpacking.spark.tables=DIR} is a folder with {@code iceberg-spark-runtime-3.5_2.12} and {@code
 * hudi-spark3.5-bundle_2.12}, which are 130 MB.
 */
@Tag("experiment")
class SparkTablesIT {
    private static final String JARS = System.getProperty("packing.spark.tables", "");

    @TempDir
    private Path home;

    private DirectoryMount mount;

    @BeforeEach
    void start() throws IOException {
        mount = DirectoryMount.start(home);
    }

    @AfterEach
    void stop() throws IOException {
        mount.close();
    }

    private String mountUri() {
        return mount.uri();
    }

    private static Path jar(String beginning) throws IOException {
        Optional<Path> found = Optional.empty();
        if (!JARS.isEmpty()) {
            try (Stream<Path> files = Files.list(Path.of(JARS))) {
                found = files.filter(each -> each.getFileName().toString().startsWith(beginning))
                        .findFirst();
            }
        }
        assumeTrue(found.isPresent(), beginning + " is missing: set -Dpacking.spark.tables=DIR");
        return found.orElseThrow().toAbsolutePath();
    }

    private void run(Path jar, Map<String, String> properties, String... arguments) throws Exception {
        Map<String, String> all = new HashMap<>(properties);
        all.put("spark.sql.shuffle.partitions", "2");
        all.put("spark.sql.warehouse.dir", home.resolve("warehouse").toUri().toString());
        SparkSubmit spark =
                new SparkSubmit(home, home.resolve("logs"), List.of(HadoopFileSystemIT.jar(), jar), all, Map.of());
        assertThat(spark.run(TablesJob.class, arguments)).isNotEmpty();
    }

    @Test
    void icebergMergesAndExpiresAndItsWritersRace() throws Exception {
        run(
                jar("iceberg-spark-runtime-"),
                Map.of(
                        "spark.sql.extensions",
                        "org.apache.iceberg.spark.extensions.IcebergSparkSessionExtensions",
                        "spark.sql.catalog.lake",
                        "org.apache.iceberg.spark.SparkCatalog",
                        "spark.sql.catalog.lake.type",
                        "hadoop",
                        "spark.sql.catalog.lake.warehouse",
                        mountUri() + "/warehouse"),
                "iceberg",
                "lake");
    }

    @Test
    void hudiReachesAMountByALinkOfViewfs() throws Exception {
        run(
                jar("hudi-spark"),
                Map.of(
                        "spark.serializer",
                        "org.apache.spark.serializer.KryoSerializer",
                        "spark.kryo.registrator",
                        "org.apache.spark.HoodieSparkKryoRegistrar",
                        "spark.sql.extensions",
                        "org.apache.spark.sql.hudi.HoodieSparkSessionExtension",
                        "spark.sql.catalog.spark_catalog",
                        "org.apache.spark.sql.hudi.catalog.HoodieCatalog",
                        "spark.hadoop.fs.viewfs.mounttable.lake.link./tables",
                        mountUri() + "/tables"),
                "hudi",
                "viewfs://lake/tables");
    }
}
