// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files in the formats of public traces, written by hand from the published descriptions. */
class PublishedFormatsTest {
    @TempDir
    private Path directory = Path.of("");

    private List<String> read(String text, CsvLayout layout) throws IOException {
        Path file = Files.writeString(directory.resolve("trace.csv"), text);
        List<String> requests = new ArrayList<>();
        try (CsvRequests trace = CsvRequests.open(file, layout)) {
            while (trace.advance()) {
                requests.add(trace.object() + " " + trace.bytes());
            }
            assertThat(trace.damage()).isEqualTo(TraceDefects.NONE);
        }
        return requests;
    }

    /** MSR Cambridge: Timestamp,Hostname,DiskNumber,Type,Offset,Size,ResponseTime; ticks of 100 ns since 1601, no header. */
    @Test
    void aTraceOfMsrIsReadByItsColumns() throws IOException {
        String text = """
                128166372003061629,usr,0,Read,7014609920,24576,41286
                128166372016382155,usr,0,Write,1317441536,8192,1963
                128166372026382245,usr,0,Read,7014609920,24576,410
                """;
        assertThat(read(text, new CsvLayout(',', false, "5", "6", "1", true, false)))
                .containsExactly("7014609920 24576", "1317441536 8192", "7014609920 24576");
    }

    /** Twitter: timestamp, anonymized key, key size, value size, client id, operation, TTL; no header. */
    @Test
    void aTraceOfTwitterIsReadByItsColumns() throws IOException {
        String text = """
                0,q:q:1:8WTfjZU14ee,17,213,4,get,0
                0,yDqF:3q:1AJrrJ1nnCJKKrnGx1A,27,27,5,get,0
                1,q:q:1:8WTfjZU14ee,17,213,8,set,1200
                """;
        List<String> requests = read(text, new CsvLayout(',', false, "2", "4", "1", false, false));
        assertThat(requests).hasSize(3);
        assertThat(requests.get(0)).endsWith(" 213").isEqualTo(requests.get(2)).isNotEqualTo(requests.get(1));
    }
}
