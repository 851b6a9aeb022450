// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.packing.bdt.Outcome;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import io.packing.blob.FilePath;
import io.packing.s3server.S3Server;
import io.packing.s3server.S3ServerMetrics;
import io.packing.s3server.S3ServerOptions;
import io.packing.seed.Seed;
import io.packing.store.ObjectStore;
import io.packing.store.ObjectStores;
import io.packing.store.PutCondition;
import io.packing.store.StoreOptions;
import io.packing.worker.PackingWorker;
import io.packing.worker.api.CreateOptions;
import io.packing.worker.api.MountOptions;
import io.packing.worker.api.PackingFileSystem;
import io.packing.worker.api.PackingInput;
import io.packing.worker.api.PackingOutput;
import io.packing.worker.api.WorkerOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code packing adopt}: the objects of a bucket become files, and stay where they are. */
@Timeout(180)
class AdoptCommandTest {
    private static final int LARGE = (4 << 20) + 1_000;

    @TempDir
    private Path home = Path.of("");

    private S3Server s3;
    private Path keys = Path.of("");
    private BdtMaster master;
    private PackingWorker worker;
    private PackingFileSystem mount;
    private ObjectStore data;

    @BeforeEach
    void start() throws IOException {
        keys = Files.writeString(
                home.resolve("keys"), "[default]\naws_access_key_id = access\naws_secret_access_key = secret\n");
        s3 = S3Server.start(S3ServerOptions.of(Files.createDirectory(home.resolve("s3")), "bucket", "data"));
        data = ObjectStores.open(StoreOptions.from(options("s3://data")));
        open("bdt");
    }

    @AfterEach
    void stop() throws IOException {
        close();
        data.close();
        s3.close();
    }

    private Map<String, String> options(String store) {
        return Map.of(
                "packing.store", store,
                "packing.s3.endpoint", s3.endpoint().toString(),
                "packing.s3.credentials.file", keys.toString());
    }

    /** Starts a master with a disk of its own, and a worker. */
    private void open(String disk) throws IOException {
        master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir",
                        home.resolve(disk).toString(),
                        "bdt.port",
                        "0",
                        "bdt.stores",
                        "s3://bucket@" + s3.endpoint(),
                        "bdt.s3.credentials.file",
                        keys.toString())))
                .serve();
        worker = PackingWorker.start(
                new WorkerOptions("w1", home.resolve("buffer"), "127.0.0.1", 0),
                master,
                ObjectStores::open,
                Clock.systemUTC(),
                new SimpleMeterRegistry());
        Map<String, String> ofMount = new HashMap<>(options("s3://bucket/mount"));
        ofMount.put("packing.seal.after", "1h");
        ofMount.put("packing.seal.quiet", "0s");
        mount = worker.open(MountOptions.from(ofMount));
    }

    private void close() throws IOException {
        mount.close();
        worker.close();
        master.close();
    }

    private String uri(String path) {
        return "packing://127.0.0.1:%d%s".formatted(master.port(), path);
    }

    private CommandRun run(String... words) {
        return CommandRun.of(
                Stream.concat(Arrays.stream(words), Stream.of("--option", "packing.s3.credentials.file=" + keys))
                        .toArray(String[]::new));
    }

    private JsonNode adopt(String source, String path) throws IOException {
        CommandRun run = run("adopt", source, uri(path), "--json");
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Report.json().readTree(run.out());
    }

    private void put(String key, String text) throws IOException {
        data.put(key, ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)), PutCondition.NONE);
    }

    /** Reads by a command, which has read nothing before. */
    private String cat(String path) throws IOException {
        Path to = home.resolve("got");
        Files.deleteIfExists(to);
        CommandRun run = run("get", uri(path), to.toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        return Files.readString(to);
    }

    private long listed() {
        return s3.metrics().prefixes().values().stream()
                .mapToLong(S3ServerMetrics.Counts::list)
                .sum();
    }

    private S3ServerMetrics.Counts of(String prefix) {
        return s3.metrics().prefixes().getOrDefault(prefix, S3ServerMetrics.Counts.NONE);
    }

    @Test
    void objectsAreReadAtOnceAndNoneIsRead() throws IOException {
        byte[] large = new byte[LARGE];
        new Random(Seed.value()).nextBytes(large);
        data.put("in/large", ByteBuffer.wrap(large), PutCondition.NONE);
        put("in/a/b c", "small");
        put("in/empty", "");
        put("other", "not below the prefix");
        long before = listed();
        JsonNode done = adopt("s3://data/in", "/to");
        assertThat(done.get("objects").asInt()).isEqualTo(3);
        assertThat(done.get("bytes").asInt()).isEqualTo(LARGE + 5);
        assertThat(done.get("list_requests").asInt()).isEqualTo(1);
        assertThat(done.get("seconds").asDouble()).isPositive();
        assertThat(listed() - before).isEqualTo(1);
        assertThat(of("in").get()).isZero();
        assertThat(cat("/to/a/b c")).isEqualTo("small");
        assertThat(cat("/to/empty")).isEmpty();
        try (PackingInput in = mount.open(new FilePath("/to/large"))) {
            ByteBuffer all = ByteBuffer.allocate(LARGE);
            while (all.hasRemaining()) {
                assertThat(in.read(all.position(), all)).isPositive();
            }
            assertThat(all.array()).isEqualTo(large);
            ByteBuffer some = ByteBuffer.allocate(20);
            assertThat(in.read(LARGE - 1_010, some)).isPositive();
            assertThat(some.array()).startsWith(Arrays.copyOfRange(large, LARGE - 1_010, LARGE - 1_000));
        }
        assertThat(run("fsck", uri("/"), "--verify").exitCode()).isZero();
    }

    @Test
    void aChangedOrMissingObjectIsAnErrorThatNamesItAndOthersAreRead() throws IOException {
        put("in/changed", "old");
        put("in/gone", "old");
        put("in/same", "same");
        JsonNode unused = adopt("s3://data/in", "/to");
        put("in/changed", "new");
        data.delete(List.of("in/gone"));
        CommandRun changed = run("cat", uri("/to/changed"));
        assertThat(changed.exitCode()).isEqualTo(ExitCodes.FAILED);

        assertThat(changed.err()).contains("s3://data/in/changed has changed");
        CommandRun gone = run("cat", uri("/to/gone"));
        assertThat(gone.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(gone.err()).contains("s3://data/in/gone is gone");
        assertThat(cat("/to/same")).isEqualTo("same");
    }

    @Test
    void fsckNamesFilesWhoseObjectsChangedAndAsksForNoMoreThanItMay() throws IOException {
        put("in/changed", "old");
        put("in/gone", "old");
        for (int i = 0; i < 8; i++) {
            put("in/same" + i, "same");
        }
        JsonNode unused = adopt("s3://data/in", "/to");
        long before = of("in").get() + of("in").head();
        CommandRun sound = run("fsck", uri("/"), "--adopted");
        assertThat(sound.exitCode()).as(sound.out()).isZero();
        assertThat(sound.out()).contains("10 objects of adopted files were asked for");
        assertThat(of("in").get() + of("in").head() - before).isEqualTo(10);
        put("in/changed", "new");
        data.delete(List.of("in/gone"));
        assertThat(run("fsck", uri("/"), "--verify").exitCode()).isZero();
        CommandRun damaged = run("fsck", uri("/"), "--adopted");
        assertThat(damaged.exitCode()).isEqualTo(ExitCodes.CORRUPT);
        assertThat(damaged.out())
                .containsPattern("object /to/changed in .*: s3://data/in/changed has changed")
                .containsPattern("object /to/gone in .*: s3://data/in/gone is gone")
                .contains("2 object: ")
                .doesNotContain("same");
        JsonNode some = Report.json()
                .readTree(run("fsck", uri("/"), "--adopted", "3", "--json").out());
        assertThat(some.get("adopted_objects").asInt()).isEqualTo(3);
    }

    @Test
    void deletesOverwritesAndRenamesLeaveTheObjects() throws IOException {
        for (String name : List.of("deleted", "overwritten", "renamed", "cloned")) {
            put("in/" + name, name);
        }
        JsonNode unused = adopt("s3://data/in", "/to");
        assertThat(run("clone", uri("/to/cloned"), uri("/to/clone")).exitCode()).isZero();
        assertThat(run("rm", uri("/to/deleted")).exitCode()).isZero();
        assertThat(run("rm", uri("/to/cloned")).exitCode()).isZero();
        assertThat(mount.bdt().rename(new FilePath("/to/renamed"), new FilePath("/to/name")))
                .isEqualTo(Outcome.DONE);
        try (PackingOutput out =
                mount.create(new FilePath("/to/overwritten"), new CreateOptions("u", "g", 0644, true, true))) {
            out.write("new".getBytes(StandardCharsets.UTF_8));
        }
        mount.flush();
        assertThat(cat("/to/overwritten")).isEqualTo("new");
        assertThat(cat("/to/name")).isEqualTo("renamed");
        assertThat(cat("/to/clone")).isEqualTo("cloned");
        assertThat(run("fsck", uri("/"), "--verify").exitCode()).isZero();
        for (String name : List.of("deleted", "overwritten", "renamed", "cloned")) {
            assertThat(data.head("in/" + name)).as(name).isPresent();
        }
        assertThat(of("in").delete()).isZero();
    }

    @Test
    void aRestartAndARecoveryFromTheStoreAloneGiveTheFilesBack() throws IOException {
        put("in/a/b", "adopted");
        put("in/deleted", "deleted");
        JsonNode unused = adopt("s3://data/in", "/to");
        assertThat(run("rm", uri("/to/deleted")).exitCode()).isZero();
        mount.bdt().checkpoint();
        close();
        open("bdt");
        assertThat(cat("/to/a/b")).isEqualTo("adopted");
        close();
        open("another disk");
        assertThat(cat("/to/a/b")).isEqualTo("adopted");
        assertThat(run("stat", uri("/to/deleted")).exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(data.head("in/deleted")).isPresent();
    }

    @Test
    void theSameCommandAgainLeavesFilesAndAdoptsNewObjects() throws IOException {
        put("in/one", "one");
        JsonNode unused = adopt("s3://data/in", "/to");
        put("in/two", "two");
        JsonNode again = adopt("s3://data/in", "/to");
        assertThat(again.get("objects").asInt()).isEqualTo(1);
        assertThat(again.get("there").asInt()).isEqualTo(1);
        assertThat(cat("/to/one") + cat("/to/two")).isEqualTo("onetwo");
    }

    private JsonNode repack(String path, String budget, int exitCode) throws IOException {
        CommandRun run = run("repack", uri(path), "--budget", budget, "--json");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(exitCode);
        return Report.json().readTree(run.out());
    }

    @Test
    void repackMovesSmallFilesIntoBlobsWithinItsBudget() throws IOException {
        for (int i = 10; i < 30; i++) {
            put("in/small/" + i, "small " + i);
        }
        data.put("in/large", ByteBuffer.allocate(2 << 20), PutCondition.NONE);
        put("in/changed", "old");
        JsonNode unused = adopt("s3://data/in", "/to");
        assertThat(run("clone", uri("/to/small/10"), uri("/to/clone")).exitCode())
                .isZero();
        assertThat(run("snapshot", "create", uri("/to"), "before").exitCode()).isZero();
        put("in/changed", "new");
        assertThat(mount.bdt().rename(new FilePath("/to/small/11"), new FilePath("/to/small/renamed")))
                .isEqualTo(Outcome.DONE);

        JsonNode some = repack("/to/small", "80B", ExitCodes.OK);
        assertThat(some.get("files").asInt()).isEqualTo(10);
        assertThat(some.get("bytes").asInt()).isEqualTo(80);
        JsonNode all = repack("/to", "1GB", ExitCodes.FAILED);
        assertThat(all.get("blobs").asInt()).isEqualTo(1);
        assertThat(all.get("failed").asInt()).isEqualTo(1);
        assertThat(all.get("failures").get(0).get("path").asText()).isEqualTo("/to/changed");
        JsonNode none = repack("/to/small", "1GB", ExitCodes.OK);
        assertThat(none.get("files").asInt()).isZero();

        assertThat(run("fsck", uri("/"), "--verify").exitCode()).isZero();
        assertThat(data.head("in/small/29")).isPresent();
        data.delete(List.of("in/small/29", "in/small/15", "in/small/10", "in/small/11"));
        assertThat(cat("/to/small/29")).isEqualTo("small 29");
        assertThat(cat("/to/small/15")).isEqualTo("small 15");
        assertThat(cat("/to/clone")).isEqualTo("small 10");
        mount.bdt().checkpoint();
        close();
        open("another disk");
        assertThat(cat("/to/small/29")).isEqualTo("small 29");
        assertThat(cat("/to/clone")).isEqualTo("small 10");
        assertThat(cat("/to/small/renamed")).isEqualTo("small 11");
    }

    @Test
    void mistakesAreTold() throws IOException {
        CommandRun other = run("adopt", "gs://bucket/in", uri("/to"));
        assertThat(other.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(other.err()).contains("'gs://bucket/in' cannot be adopted: only stores with S3's protocol");
        CommandRun nothing = run("adopt", "s3://data/none", uri("/to"));
        assertThat(nothing.exitCode()).isEqualTo(ExitCodes.NOT_FOUND);
        assertThat(nothing.err()).contains("there are no objects below s3://data/none/");
        CommandRun bucket = run("adopt", "s3://missing", uri("/to"));
        assertThat(bucket.exitCode()).isEqualTo(ExitCodes.FAILED);
        assertThat(bucket.err()).contains("there is no bucket missing");
        put("in/one", "one");
        CommandRun file = run("adopt", "s3://data/in", uri("/to"), "--file-mode", "rw");
        assertThat(file.exitCode()).isEqualTo(ExitCodes.USAGE);
    }
}
