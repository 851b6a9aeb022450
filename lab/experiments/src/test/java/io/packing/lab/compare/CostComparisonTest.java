// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.options.PriceTable;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class CostComparisonTest {
    private static final Path STANDARD = Path.of("../../conf/prices/s3-standard.properties");

    private static final AnsweredRequests NONE = new AnsweredRequests(0, 0, 0, 0, 0, 0);

    @Test
    void jsonHasExactlyTheDocumentedFields() throws IOException {
        JsonNode json = new ObjectMapper().valueToTree(comparison());
        assertThat(json.fieldNames()).toIterable().containsExactly("packed", "direct", "ratio", "billed");
        for (String side : new String[] {"packed", "direct"}) {
            assertThat(json.get(side).fieldNames())
                    .toIterable()
                    .containsExactly(
                            "files",
                            "acknowledged_seconds",
                            "seconds",
                            "put",
                            "get",
                            "list",
                            "head",
                            "throttled",
                            "dollars",
                            "verified",
                            "puts_per_gb",
                            "files_per_second",
                            "measured_files",
                            "extrapolated",
                            "bytes",
                            "read_back");
        }
        assertThat(json.get("ratio").fieldNames()).toIterable().containsExactly("dollars", "seconds", "put");
    }

    @Test
    void ratiosAreDirectOverPacked() throws IOException {
        CostComparison.Ratio ratio = comparison().ratio();
        assertThat(ratio.put()).isEqualTo(2500);
        assertThat(ratio.seconds()).isEqualTo(4);
        assertThat(ratio.dollars()).isCloseTo(2500, within(1e-6));
    }

    @Test
    void theTableNamesEveryCount() throws IOException {
        StringWriter out = new StringWriter();
        comparison().print(new PrintWriter(out, true));
        assertThat(out.toString())
                .contains("packed", "direct", "files/s", "PUT", "GET", "LIST", "HEAD", "throttled", "dollars", "5,000")
                .contains("2,500.0x");
    }

    @Test
    void aThousandPutsCostTheListPrice() throws IOException {
        PriceTable prices = PriceTable.read(STANDARD);
        assertThat(new AnsweredRequests(1000, 0, 0, 0, 99, 0).dollars(prices)).isEqualTo(0.005);
    }

    @Test
    void dollarsPayForTheIngestAndNotForTheReadingBack() throws IOException {
        SideResult packed = comparison().packed();
        assertThat(packed.dollars()).isCloseTo(2 * 0.005 / 1000, within(1e-12));
        assertThat(packed.readBack().dollars()).isCloseTo(40 * 0.0004 / 1000, within(1e-12));
        assertThat(packed.get()).isZero();
    }

    @Test
    void putsPerGbCountsListsToo() throws IOException {
        SideResult side =
                SideResult.of(measured(1 << 17, new AnsweredRequests(3, 9, 1, 9, 0, 0)), PriceTable.read(STANDARD));
        assertThat(side.putsPerGb()).isEqualTo(4);
    }

    @Test
    void whatIsExtrapolatedIsSaidSo() throws IOException {
        PriceTable prices = PriceTable.read(STANDARD);
        SideResult direct =
                SideResult.extrapolated(measured(1000, new AnsweredRequests(1000, 0, 0, 0, 10, 0)), 5000, prices);
        assertThat(direct.isExtrapolated()).isTrue();
        assertThat(direct.put()).isEqualTo(5000);
        assertThat(direct.throttled()).isEqualTo(50);
        assertThat(direct.seconds()).isEqualTo(50);
        assertThat(direct.filesPerSecond()).isEqualTo(100);
        assertThat(direct.isComplete()).isTrue();
        StringWriter out = new StringWriter();
        CostComparison.of(comparison().packed(), direct).print(new PrintWriter(out, true));
        assertThat(out.toString()).contains("Direct is extrapolated in proportion from 1,000 files");
        assertThat(new ObjectMapper().valueToTree(direct).get("extrapolated").asBoolean())
                .isTrue();
    }

    @Test
    void aFileThatWasNotReadBackMakesTheRunIncomplete() throws IOException {
        Measurement one = new Measurement(2, 8192, 1, NONE, NONE, 1);
        assertThat(SideResult.of(one, PriceTable.read(STANDARD)).isComplete()).isFalse();
    }

    private static Measurement measured(long files, AnsweredRequests ingest) {
        return new Measurement(files, 8192, 10, ingest, NONE, files);
    }

    private static CostComparison comparison() throws IOException {
        PriceTable prices = PriceTable.read(STANDARD);
        AnsweredRequests read = new AnsweredRequests(0, 40, 0, 0, 0, 0);
        return CostComparison.of(
                SideResult.of(
                        new Measurement(5000, 8192, 5, new AnsweredRequests(2, 0, 0, 0, 0, 41_000_000), read, 5000),
                        prices),
                SideResult.of(
                        new Measurement(5000, 8192, 20, new AnsweredRequests(5000, 0, 0, 0, 7, 41_000_000), NONE, 5000),
                        prices));
    }
}
