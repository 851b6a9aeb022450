// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.analysis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import com.typesafe.config.ConfigFactory;
import io.packing.trace.Call;
import io.packing.trace.analysis.Findings.ReadWrite;
import io.packing.trace.analysis.Findings.Touched;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A test with small traces of HBase's shapes, whose numbers can be computed by hand. */
class HandMadeTraceTest {
    private static final String ACTIONS = RegionServer.STORE + "Actions/";
    private static final String TEMPORARY = RegionServer.STORE + ".tmp/Actions/";
    private static final String LOG = "/hbase/WALs/rs-1,16020,1/rs-1%2C16020%2C1.5";

    @TempDir
    private Path directory;

    private int saved;

    @Test
    void aFlushedFileThatIsReadAndCompactedIsOneFile() throws Exception {
        RegionServer server = new RegionServer("rs-1");
        server.as(RegionServer.FLUSHER).store(TEMPORARY + "f1", ACTIONS + "f1", 1_000);
        server.as(RegionServer.HANDLER);
        long get = server.open(ACTIONS + "f1", 1_000);
        server.read(Call.PREAD_BYTE_BUFFER, get, ACTIONS + "f1", 0, 400);
        server.read(Call.PREAD_BYTE_BUFFER, get, ACTIONS + "f1", 200, 400);
        server.as(RegionServer.COMPACTOR);
        long input = server.open(ACTIONS + "f1", 1_000);
        long output = server.create(TEMPORARY + "c1");
        server.read(Call.READ_BYTE_BUFFER, input, ACTIONS + "f1", 0, 500);
        server.read(Call.READ_BYTE_BUFFER, input, ACTIONS + "f1", 500, 500);
        server.write(output, TEMPORARY + "c1", 0, 900).close(output, TEMPORARY + "c1", 900);
        server.rename(TEMPORARY + "c1", ACTIONS + "c1").delete(ACTIONS + "f1");
        Findings found = analyze(server);

        assertThat(found.filesSeen()).isEqualTo(2);
        assertThat(found.ioByCause())
                .containsOnly(
                        entry("flush", new ReadWrite(0, 1_000)),
                        entry("get", new ReadWrite(800, 0)),
                        entry("compaction", new ReadWrite(1_000, 900)));
        assertThat(found.coreIo()).isEqualTo(new ReadWrite(800, 1_000));
        // f1 was written and read; c1 was only written, and is left.
        assertThat(found.dataByFamily()).containsOnly(entry("Actions", new Touched(0, 900, 1_000)));
        assertThat(found.liveData()).containsOnly(entry("all", new Touched(0, 900, 0)));
        assertThat(found.ioPerByte()).containsEntry("Actions", 3_700 / 1_900.0);
        // Bytes 600 to 1000 are read once; 0 to 200 and 400 to 600 twice; 200 to 400 three times.
        assertThat(found.heatOfData()).containsOnly(entry(0, 400L), entry(1, 600L));
        assertThat(found.heatOfIo()).containsOnly(entry(0, 400L), entry(1, 2 * 400L + 3 * 200L));
        assertThat(found.createdFiles()).containsOnly(entry("small", 2L));
        assertThat(found.deletedWithin("small", 3_600)).isEqualTo(0.5);
        assertThat(found.sequentialByCause()).containsEntry("compaction", new ReadWrite(1, 0));
    }

    @Test
    void repeatsAndNeighboursFillTheLocalityMap() throws Exception {
        RegionServer server = new RegionServer("rs-1");
        long stream = server.open(ACTIONS + "f", 10_000_000);
        server.read(Call.PREAD, stream, ACTIONS + "f", 0, 100);
        server.read(Call.PREAD, stream, ACTIONS + "f", 100, 100);
        server.waitSeconds(600).read(Call.PREAD, stream, ACTIONS + "f", 0, 100);
        server.read(Call.PREAD, stream, ACTIONS + "f", 500_000, 100);
        Map<String, double[]> map = analyze(server).localityMap();
        // Of four reads the second follows its neighbour, the third is a repeat after ten minutes, and the fourth is
        // 0.5 MB off.
        assertThat(map.get("0")).startsWith(0, 0, 0, 0, 0.25);
        assertThat(map.get("1KB")).startsWith(0.25, 0.25, 0.25, 0.25, 0.5);
        assertThat(map.get("64KB")).startsWith(0.25, 0.25, 0.25, 0.25, 0.5);
        assertThat(map.get("1MB")).startsWith(0.5, 0.5, 0.5, 0.5, 0.75);
    }

    @Test
    void aNameUsedAgainIsAnotherFile() throws Exception {
        RegionServer server = new RegionServer("rs-1").as(RegionServer.FLUSHER);
        server.store(TEMPORARY + "f", ACTIONS + "a", 100);
        server.store(TEMPORARY + "f", ACTIONS + "b", 100);
        server.delete(ACTIONS + "a").store(TEMPORARY + "f", ACTIONS + "a", 100);
        Findings found = analyze(server);
        assertThat(found.filesSeen()).isEqualTo(3);
        assertThat(found.createdFiles()).containsOnly(entry("small", 3L));
        assertThat(found.dataByFamily()).containsOnly(entry("Actions", new Touched(0, 300, 0)));
    }

    @Test
    void aDirectoryTakesItsFilesAlong() throws Exception {
        RegionServer server = new RegionServer("rs-1").as(RegionServer.FLUSHER);
        long stream = server.create("/a/x");
        server.write(stream, "/a/x", 0, 10).close(stream, "/a/x", 10).rename("/a", "/b");
        long again = server.open("/b/x", 10);
        server.read(Call.READ, again, "/b/x", 0, 10).delete("/b");
        Findings found = analyze(server);
        assertThat(found.filesSeen()).isEqualTo(1);
        assertThat(found.dataByFamily()).containsOnly(entry(Rules.UNCLASSIFIED, new Touched(0, 0, 10)));
        assertThat(found.deletedWithin("small", 3_600)).isEqualTo(1);
    }

    @Test
    void logWritesAreCountedBetweenTheirSyncs() throws Exception {
        RegionServer server = new RegionServer("rs-1").as("regionserver/rs-1:16020.append-pool-0");
        long log = server.create(LOG);
        server.write(log, LOG, 0, 1).write(log, LOG, 1, 99).hflush(log, LOG);
        server.write(log, LOG, 100, 300).hflush(log, LOG);
        server.rename(LOG, LOG.replace("WALs/rs-1,16020,1", "oldWALs"));
        Findings found = analyze(server);
        assertThat(found.ioByCause()).containsOnly(entry("logging", new ReadWrite(0, 400)));
        assertThat(found.filesSeen()).isEqualTo(1);
        assertThat(found.syncSizes().count()).isEqualTo(2);
        assertThat(found.syncSizes().mean()).isBetween(198.0, 202.0);
        assertThat(found.logWrites().count()).isEqualTo(3);
    }

    @Test
    void whatNoRuleKnowsIsAClassOfItsOwn() throws Exception {
        RegionServer server = new RegionServer("rs-1").as("main");
        long stream = server.create("/user/me/part-0");
        server.write(stream, "/user/me/part-0", 0, 77);
        Findings found = analyze(server);
        assertThat(found.ioByCause()).containsOnly(entry(Rules.UNCLASSIFIED, new ReadWrite(0, 77)));
        assertThat(found.fileSizes().keySet()).containsExactly(Rules.UNCLASSIFIED);
    }

    @Test
    void anotherApplicationIsDescribedWithoutCode() throws Exception {
        RegionServer server = new RegionServer("rs-1").as("shuffle-3");
        long stream = server.create("/jobs/7/part-0");
        server.write(stream, "/jobs/7/part-0", 0, 77);
        Rules rules = Rules.from(ConfigFactory.parseString("""
                files = [ { path = "/jobs/(?<family>[0-9]+)/", type = output } ]
                causes = [ { type = output, thread = "^shuffle", io = write, cause = shuffle } ]
                core = [ shuffle ]
                """));
        Findings found = analyze(rules, List.of(server.save(directory.resolve("job.htfs"))));
        assertThat(found.coreIo()).isEqualTo(new ReadWrite(0, 77));
        assertThat(found.fileSizes().keySet()).containsExactly("7");
    }

    @Test
    void callsThatFailAreCountedAndMoveNothing() throws Exception {
        RegionServer server = new RegionServer("rs-1");
        long stream = server.open(ACTIONS + "f", 100);
        server.failed(Call.PREAD, stream, ACTIONS + "f").read(Call.PREAD, stream, ACTIONS + "f", 0, 100);
        Findings found = analyze(server);
        assertThat(found.calls().get("pread")).satisfies(call -> {
            assertThat(call.events()).isEqualTo(2);
            assertThat(call.errors()).isEqualTo(1);
            assertThat(call.meanMicros()).isEqualTo(1_000);
        });
        assertThat(found.allIo()).isEqualTo(new ReadWrite(100, 0));
    }

    @Test
    void streamsOfTwoProcessesWithTheSameNumbersStayApart() throws Exception {
        RegionServer one = new RegionServer("rs-1");
        RegionServer two = new RegionServer("rs-2");
        one.read(Call.PREAD, one.open(ACTIONS + "a", 100), ACTIONS + "a", 0, 100);
        two.read(Call.PREAD, two.open(ACTIONS + "b", 100), ACTIONS + "b", 0, 100);
        Findings found = analyze(
                Rules.hbase(), List.of(one.save(directory.resolve("1.htfs")), two.save(directory.resolve("2.htfs"))));
        assertThat(found.filesSeen()).isEqualTo(2);
        assertThat(found.heatOfData()).containsOnly(entry(0, 200L));
    }

    private Findings analyze(RegionServer server) throws IOException, InterruptedException {
        return analyze(Rules.hbase(), List.of(server.save(directory.resolve("trace-" + saved++ + ".htfs"))));
    }

    private Findings analyze(Rules rules, List<Path> traces) throws IOException, InterruptedException {
        String work = directory.resolve("work").toUri().toString();
        List<String> names = traces.stream().map(Path::toString).toList();
        return new Analysis(rules, names, work, Optional.empty(), 1).run((number, of, what) -> {});
    }
}
