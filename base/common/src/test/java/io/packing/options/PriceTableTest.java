// SPDX-License-Identifier: Apache-2.0
package io.packing.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class PriceTableTest {
    private static final Path STANDARD = Path.of("../../conf/prices/s3-standard.properties");

    @TempDir
    Path directory;

    @Test
    void everyFileOfTheProjectIsComplete() throws IOException {
        try (Stream<Path> files = Files.list(STANDARD.resolveSibling("."))) {
            for (Path file : files.toList()) {
                assertThat(PriceTable.read(file).putPer1000()).isPositive();
            }
        }
    }

    @Test
    void aThousandRequestsCostTheListPrice() throws IOException {
        PriceTable prices = PriceTable.read(STANDARD);
        assertThat(prices.requests(1000, 0, 0, 0)).isEqualTo(0.005);
        assertThat(prices.requests(0, 1000, 0, 0)).isEqualTo(0.005);
        assertThat(prices.requests(0, 0, 1000, 1000)).isEqualTo(0.0008);
        assertThat(prices.storage(1L << 30)).isEqualTo(0.023);
        assertThat(prices.upload(1L << 30)).isZero();
    }

    @Test
    void aStoreWithoutAFileOfPricesHasThoseOfItsKind() throws IOException {
        assertThat(PriceTable.ofLocation("s3://bucket/prefix")).isEqualTo(PriceTable.read(STANDARD));
        assertThat(PriceTable.ofLocation("file:///store")).isEqualTo(PriceTable.read(STANDARD));
        assertThat(PriceTable.ofLocation("gs://bucket"))
                .isEqualTo(PriceTable.read(STANDARD.resolveSibling("gcs-standard.properties")));
        assertThat(PriceTable.ofLocation("abfs://container@account/prefix"))
                .isEqualTo(PriceTable.read(STANDARD.resolveSibling("azure-hot.properties")));
    }

    @Test
    void whatIsMissingMalformedOrUnknownIsNamed() throws IOException {
        Path file = Files.writeString(directory.resolve("p"), "put.per.1000=cheap\n");
        assertThatThrownBy(() -> PriceTable.read(file)).hasMessageContaining("put.per.1000=cheap");
        Files.writeString(file, "put.per.1000=1\n");
        assertThatThrownBy(() -> PriceTable.read(file)).hasMessageContaining("list.per.1000");
        Files.writeString(file, Files.readString(STANDARD) + "put.per.100=1\n");
        assertThatThrownBy(() -> PriceTable.read(file)).hasMessageContaining("[put.per.100]");
        Files.writeString(file, Files.readString(STANDARD).replace("puts.per.second=3500", "puts.per.second=0"));
        assertThatThrownBy(() -> PriceTable.read(file)).hasMessageContaining("admits 0.0 PUTs per second");
    }
}
