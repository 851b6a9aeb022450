package io.packing.cli.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ComparisonTest {
    private static final Path STANDARD = Path.of("../conf/prices/s3-standard.properties");

    @TempDir
    Path directory;

    @Test
    void jsonHasExactlyTheDocumentedFields() throws IOException {
        var json = new ObjectMapper().valueToTree(comparison());
        assertThat(json.fieldNames()).toIterable().containsExactly("packed", "direct", "ratio");
        for (var side : new String[] {"packed", "direct"}) {
            assertThat(json.get(side).fieldNames())
                    .toIterable()
                    .containsExactly(
                            "files", "seconds", "put", "get", "list", "head", "throttled", "dollars", "verified");
        }
        assertThat(json.get("ratio").fieldNames()).toIterable().containsExactly("dollars", "seconds", "put");
    }

    @Test
    void ratiosAreDirectOverPacked() throws IOException {
        var ratio = comparison().ratio();
        assertThat(ratio.put()).isEqualTo(2500);
        assertThat(ratio.seconds()).isEqualTo(4);
        assertThat(ratio.dollars()).isCloseTo(2500, within(1e-6));
    }

    @Test
    void theTableNamesEveryCount() throws IOException {
        var out = new StringWriter();
        comparison().print(new PrintWriter(out, true));
        assertThat(out.toString())
                .contains("packed", "direct", "files/s", "PUT", "GET", "LIST", "HEAD", "throttled", "dollars", "5,000")
                .contains("2,500.0x");
    }

    @Test
    void everyPriceFileIsComplete() throws IOException {
        try (var files = Files.list(STANDARD.resolveSibling("."))) {
            for (var file : files.toList()) {
                assertThat(Prices.read(file).putPer1000()).isPositive();
            }
        }
    }

    @Test
    void aThousandPutsCostTheListPrice() throws IOException {
        var prices = Prices.read(STANDARD);
        assertThat(prices.dollars(new Requests(1000, 0, 0, 0, 99, 0))).isEqualTo(0.005);
    }

    @Test
    void aMissingOrMalformedPriceIsNamed() throws IOException {
        var file = Files.writeString(directory.resolve("p"), "put.per.1000=cheap\n");
        assertThatThrownBy(() -> Prices.read(file)).hasMessageContaining("put.per.1000=cheap");
        Files.writeString(file, "put.per.1000=1\n");
        assertThatThrownBy(() -> Prices.read(file)).hasMessageContaining("list.per.1000");
    }

    private static Comparison comparison() throws IOException {
        var prices = Prices.read(STANDARD);
        return Comparison.of(
                Side.of(5000, 5, new Requests(2, 0, 0, 0, 0, 41_000_000), prices, 5000),
                Side.of(5000, 20, new Requests(5000, 0, 0, 0, 7, 41_000_000), prices, 5000));
    }
}
