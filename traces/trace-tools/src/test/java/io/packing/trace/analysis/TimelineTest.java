// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.packing.trace.Call;
import java.io.IOException;
import org.junit.jupiter.api.Test;

/** A test of the timeline of a handmade recording, whose calls are a millisecond apart and last a microsecond. */
class TimelineTest {
    private static final long MS = 1_000_000;

    private final DesktopTask task = new DesktopTask("save");

    @Test
    void figure21HasAccessesRequestsAndWhatForcesAndRenames() {
        long document = task.open("/d/a.doc", "flags=O_RDWR|O_CREAT created=true");
        task.write(document, 0, 100).write(document, 100, 50);
        task.by("8").write(document, 150, 10).by("7");
        task.write(document, 0, 20).read(document, 20, 30);
        task.on(Call.SYS_FSYNC, document, "");
        task.close(document).named(Call.SYS_RENAME, "/d/a.doc", "/d/b.doc", "");
        Timeline timeline = task.timeline(100);
        assertThat(timeline.accesses())
                .containsExactly(
                        new Timeline.Access("save", "/d/a.doc", "productivity", "7", 0, 7 * MS + 1_000, 30, 180));
        assertThat(timeline.requests())
                .containsExactly(
                        new Timeline.Request("save", "/d/a.doc", "7", true, MS, 2 * MS + 1_000, 0, 150, 2),
                        new Timeline.Request("save", "/d/a.doc", "8", true, 3 * MS, 3 * MS + 1_000, 150, 10, 1),
                        new Timeline.Request("save", "/d/a.doc", "7", true, 4 * MS, 4 * MS + 1_000, 0, 20, 1),
                        new Timeline.Request("save", "/d/a.doc", "7", false, 5 * MS, 5 * MS + 1_000, 20, 30, 1));
        assertThat(timeline.marks())
                .containsExactly(
                        new Timeline.Mark("save", "/d/a.doc", "fsync", 6 * MS),
                        new Timeline.Mark("save", "/d/a.doc", "rename", 8 * MS));
        assertThat(timeline.leftOut()).isZero();
    }

    @Test
    void copiesOfADescriptorBelongToOneAccessAndDirectoriesAndDevicesToNone() {
        long one = task.file("/a", 10).open("/a");
        task.on(Call.SYS_CLOSE, one, "shared=true").read(one, 0, 10);
        task.list(task.open("/d", "flags=O_DIRECTORY type=dir"), 100);
        task.read(task.open("/dev/urandom", "flags=O_RDONLY type=other"), 0, 16);
        assertThat(task.timeline(100).accesses())
                .extracting(Timeline.Access::path)
                .containsExactly("/a");
    }

    @Test
    void filesWithTheFewestBytesAreLeftOutFirstAndCounted() {
        for (int i = 0; i < 5; i++) {
            long small = task.open("/small" + i);
            task.read(small, 0, 10).read(small, 50, 10);
        }
        long large = task.open("/large");
        task.read(large, 0, 1_000).read(large, 5_000, 1_000);
        Timeline timeline = task.timeline(4);
        assertThat(timeline.requests()).hasSize(4);
        assertThat(timeline.requests()).extracting(Timeline.Request::path).contains("/large");
        assertThat(timeline.leftOut()).isEqualTo(8);
    }

    @Test
    void thePageHoldsTheNumbersThatItsScriptDraws() throws IOException {
        long file = task.open("/<script>.jpg");
        task.read(file, 4_096, 512).close(file);
        String page = TimelinePicture.html(task.timeline(100));
        String data = page.substring(page.indexOf("timeline-data>") + "timeline-data>".length());
        JsonNode save = new ObjectMapper()
                .readTree(data.substring(0, data.indexOf("</script>")))
                .get("save");
        assertThat(save.get("files").get(0).asText()).isEqualTo("/<script>.jpg");
        assertThat(save.get("kinds").get(0).asText()).isEqualTo("multimedia");
        assertThat(save.get("requests").toString()).isEqualTo("[[0,1000,1001,4096,512,0,1,0]]");
        assertThat(save.get("accesses").toString()).isEqualTo("[[0,0,2001,512,0,0]]");
        assertThat(data.substring(data.indexOf("</script>"))).contains("createElementNS");
    }
}
