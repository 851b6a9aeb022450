// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.cachetrace;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.github.luben.zstd.Zstd;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CsvRequestsTest {
    private static final CsvLayout NAMED = new CsvLayout(',', true, "obj_id", "obj_size", "time", true, false);
    private static final CsvLayout SKIPPING = new CsvLayout(',', true, "obj_id", "obj_size", "time", true, true);
    private static final CsvLayout NUMBERED = new CsvLayout('|', false, "2", "", "", true, false);
    private static final String TRACE = "time,obj_id,obj_size\n1,17,4096\n2,-5,512\n2.5, 17 ,4096\n";

    @TempDir
    private Path directory = Path.of("");

    @Test
    void readsColumnsByNameAndByNumber() throws IOException {
        assertThat(objects(TRACE, NAMED)).containsExactly(17L, -5L, 17L);
        assertThat(objects("a|3|x\n\nb|4\nc|3\n", NUMBERED)).containsExactly(3L, 4L, 3L);
        try (CsvRequests requests = CsvRequests.open(write(TRACE), NAMED)) {
            requests.advance();
            requests.advance();
            assertThat(requests.bytes()).isEqualTo(512);
        }
    }

    @Test
    void readsCompressedOnes() throws IOException {
        Files.write(directory.resolve("trace.csv"), Zstd.compress(TRACE.getBytes(StandardCharsets.UTF_8)));
        try (CsvRequests requests = CsvRequests.open(directory.resolve("trace.csv"), NAMED)) {
            assertThat(drain(requests)).containsExactly(17L, -5L, 17L);
        }
    }

    @Test
    void equalNamesAreEqualObjectsAndOthersAreNot() throws IOException {
        CsvLayout layout = new CsvLayout(',', true, "key", "", "", false, false);
        List<Long> objects = objects("key\n/a/b\n/a/c\n/a/b\n\"with, comma\"\n", layout);
        assertThat(objects).hasSize(4);
        assertThat(objects.get(0)).isEqualTo(objects.get(2)).isNotEqualTo(objects.get(1));
    }

    @Test
    void aMisspeltColumnIsRefusedWithTheNearestName() throws IOException {
        CsvLayout layout = new CsvLayout(',', true, "obj_ld", "", "", true, false);
        assertThatThrownBy(() -> CsvRequests.open(write(TRACE), layout))
                .isInstanceOf(MalformedTraceException.class)
                .hasMessageContaining("trace.csv: no column 'obj_ld'")
                .hasMessageContaining("nearest is 'obj_id'");
        CsvLayout seventh = new CsvLayout(',', false, "7", "", "", true, false);
        assertThatThrownBy(() -> CsvRequests.open(write("1,2\n"), seventh))
                .hasMessageContaining("no column 7; the first line has 2");
        assertThatThrownBy(() -> CsvRequests.open(write("1,2\n"), new CsvLayout(',', false, "id", "", "", true, false)))
                .hasMessageContaining("'id' is not the number of a column");
    }

    @Test
    void whatIsNoNumberIsRefusedWithItsLineOrCounted() throws IOException {
        String text = TRACE + "3,seventeen,1\n4,18\n5,19,-1\n6,99999999999999999999,1\n7,20,\n8,21,8\n";
        assertThatThrownBy(() -> objects(text, NAMED))
                .isInstanceOf(MalformedTraceException.class)
                .hasMessageContaining("line 5")
                .hasMessageContaining("seventeen");
        try (CsvRequests requests = CsvRequests.open(write(text), SKIPPING)) {
            assertThat(drain(requests)).containsExactly(17L, -5L, 17L, 21L);
            assertThat(requests.damage()).isEqualTo(new TraceDefects(false, 5, 0, 0));
        }
    }

    @Test
    void messagesRepeatLittleOfAHostileFileAndNothingThatATerminalObeys() {
        String escape = "\u001b[2J";
        assertThatThrownBy(() -> objects("time," + escape + "x".repeat(60_000) + "\n", NAMED))
                .message()
                .contains("no column 'obj_id'")
                .doesNotContain("\u001b")
                .hasSizeLessThan(1000);
        assertThatThrownBy(() -> objects("time,obj_id,obj_size\n1," + escape + "y".repeat(60_000) + ",1\n", NAMED))
                .message()
                .contains("line 2")
                .doesNotContain("\u001b")
                .hasSizeLessThan(1000);
    }

    @Test
    void emptyRequestsAndTimesThatGoBackAreCounted() throws IOException {
        try (CsvRequests requests = CsvRequests.open(write("time,obj_id,obj_size\n9,1,0\n3,2,7\n4,3,7\n"), NAMED)) {
            assertThat(drain(requests)).containsExactly(2L, 3L);
            assertThat(requests.damage()).isEqualTo(new TraceDefects(false, 0, 1, 1));
        }
    }

    @Test
    void aLineWithoutAnEndDoesNotFillTheMemory() throws IOException {
        Path file = write("time,obj_id,obj_size\n1,2,3\n" + "9".repeat(1 << 20));
        assertThatThrownBy(() -> {
                    try (CsvRequests requests = CsvRequests.open(file, NAMED)) {
                        drain(requests);
                    }
                })
                .isInstanceOf(MalformedTraceException.class)
                .hasMessageContaining("65,536");
        assertThatThrownBy(() -> objects("", NAMED)).hasMessageContaining("not one line");
    }

    @Test
    void severalFilesAreOneTraceAndTheirDamageOneSum() throws IOException {
        Path first = Files.writeString(directory.resolve("1.csv"), "time,obj_id,obj_size\n9,1,0\n9,2,1\n");
        Path second = Files.writeString(directory.resolve("2.csv"), "time,obj_id,obj_size\n1,3,0\n2,4,1\n");
        try (FilesInTurn requests = new FilesInTurn(List.of(first, second), file -> CsvRequests.open(file, NAMED))) {
            assertThat(drain(requests)).containsExactly(2L, 4L);
            assertThat(requests.damage().empty()).isEqualTo(2);
        }
    }

    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("trace.csv"), text);
    }

    private List<Long> objects(String text, CsvLayout layout) throws IOException {
        try (CsvRequests requests = CsvRequests.open(write(text), layout)) {
            return drain(requests);
        }
    }

    private static List<Long> drain(CacheRequests requests) throws IOException {
        List<Long> objects = new ArrayList<>();
        while (requests.advance()) {
            objects.add(requests.object());
        }
        return objects;
    }
}
