// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.packing.bdt.Bdt;
import io.packing.bdt.DirectoryAttributes;
import io.packing.bdt.FencedException;
import io.packing.bdt.Outcome;
import io.packing.bdt.UnavailableException;
import io.packing.bdt.client.GrpcBdts;
import io.packing.bdt.master.cloud.LeaseHolder;
import io.packing.bdt.master.cloud.MasterObject;
import io.packing.blob.FilePath;
import io.packing.store.ObjectInfo;
import io.packing.store.PutCondition;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A mount is taken from a live master by an operator's word only, and the one that lost it says to whom. */
@Timeout(60)
class LeaseTest {
    private static final FilePath DIRECTORY = new FilePath("/d");
    private static final Duration RENEWAL = Duration.ofSeconds(31);

    @TempDir
    private Path machines;

    private final TwoMasters world = new TwoMasters();
    private final List<BdtMaster> started = new ArrayList<>();
    private @Nullable Bdt opened;

    @BeforeEach
    void start() throws IOException {
        Bdt table = TwoMasters.open(master("first"), "store");
        opened = table;
        assertThat(mkdir(table, DIRECTORY)).isEqualTo(Outcome.DONE);
        table.checkpoint();
    }

    @AfterEach
    void stop() {
        started.forEach(BdtMaster::kill);
    }

    private BdtMaster master(String name) throws IOException {
        return started(world.start(TwoMasters.config(machines.resolve(name)), name.hashCode()));
    }

    private BdtMaster takingOver(String name) throws IOException {
        return started(world.start(TwoMasters.config(machines.resolve(name)).takingOver(), name.hashCode()));
    }

    private BdtMaster started(BdtMaster master) {
        started.add(master);
        return master;
    }

    /** As the first master opened it. */
    private Bdt table() {
        return Objects.requireNonNull(opened);
    }

    private BdtMaster first() {
        return started.get(0);
    }

    private static Outcome mkdir(Bdt table, FilePath path) throws IOException {
        return table.mkdir(path, new DirectoryAttributes("u", "g", 0755), false);
    }

    private void assertHeld(BdtMaster other, int secondsLeft) {
        assertThatThrownBy(() -> TwoMasters.open(other, "store"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("first:1")
                .hasMessageContaining("second:1")
                .hasMessageContaining("in %d s at the earliest".formatted(secondsLeft))
                .hasMessageContaining("--take-over");
    }

    private void renew(BdtMaster master) throws IOException {
        for (Mount mount : master.mounts()) {
            assertThat(mount.lease().step()).isTrue();
        }
    }

    @Test
    void aLiveMasterKeepsItsMountHoweverLongAnotherOneIsAsked() throws IOException {
        BdtMaster second = master("second");
        assertHeld(second, 45);
        for (int i = 0; i < 10; i++) {
            world.pass(RENEWAL);
            renew(first());
            assertHeld(second, 45);
        }
        assertThat(mkdir(table(), new FilePath("/still"))).isEqualTo(Outcome.DONE);
    }

    @Test
    void aMasterThatIsNotHeardOfForItsLeaseLosesItsMount() throws IOException {
        first().kill();
        BdtMaster second = master("second");
        assertHeld(second, 45);
        world.pass(Duration.ofSeconds(44));
        assertHeld(second, 1);
        world.pass(Duration.ofSeconds(1));
        assertThat(TwoMasters.open(second, "store").stat(DIRECTORY)).isPresent();
    }

    @Test
    void theWaitBeginsWhenTheLeaseIsSeenAndNotWhenItWasWritten() throws IOException {
        first().kill();
        world.pass(Duration.ofDays(1));
        assertHeld(master("second"), 45);
    }

    @Test
    void aMasterThatStopsLeavesItsMountToTheNextAtOnce() throws IOException {
        first().close();
        assertThat(TwoMasters.open(master("second"), "store").stat(DIRECTORY)).isPresent();
    }

    @Test
    void aMasterGoesOnWithItsOwnMountsAtOnce() throws IOException {
        first().kill();
        assertThat(TwoMasters.open(master("first"), "store").stat(DIRECTORY)).isPresent();
    }

    @Test
    void aMasterThatLostATableRecoversItsOwnMountAtOnce() throws IOException {
        String id = first().openMount(TwoMasters.mount("store")).id();
        first().kill();
        GrpcMasterTest.deleteAll(machines.resolve("first").resolve(id));
        Files.delete(machines.resolve("first").resolve(id));
        assertThat(TwoMasters.open(master("first"), "store").stat(DIRECTORY)).isPresent();
    }

    @Test
    void aMasterThatCannotRecoverAMountLeavesItToTheNextAtOnce() throws IOException {
        first().close();
        BdtMaster second = master("second");
        world.brokenDisks.add(machines.resolve("second"));
        assertThatThrownBy(() -> TwoMasters.open(second, "store")).hasMessageContaining("the disk is broken");
        assertThat(TwoMasters.open(master("third"), "store").stat(DIRECTORY)).isPresent();
    }

    @Test
    void theOperatorsWordTakesAMountOnceAndNotAgain() throws IOException {
        BdtMaster second = takingOver("second");
        Bdt taken = TwoMasters.open(second, "store");
        assertThat(taken.stat(DIRECTORY)).isPresent();
        BdtMaster third = takingOver("third");
        assertThat(TwoMasters.open(third, "store").stat(DIRECTORY)).isPresent();
        world.pass(RENEWAL);
        assertThatThrownBy(() -> renew(second)).isInstanceOf(FencedException.class);
        assertThatThrownBy(() -> TwoMasters.open(second, "store"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("third:1");
    }

    @Test
    void theOneThatLostItsMountSaysToWhomEverywhere() throws Exception {
        BdtMaster served = first().serve();
        try (GrpcBdts client = GrpcBdts.connect("127.0.0.1:" + served.port(), Duration.ofSeconds(3))) {
            Bdt remote = client.open(TwoMasters.mount("store"));
            assertThat(remote.stat(DIRECTORY)).isPresent();
            Bdt second = TwoMasters.open(takingOver("second"), "store");
            world.pass(RENEWAL);
            assertThatThrownBy(() -> renew(served))
                    .isInstanceOf(FencedException.class)
                    .hasMessageContaining("second:1");
            assertThatThrownBy(() -> mkdir(table(), new FilePath("/late")))
                    .isInstanceOf(FencedException.class)
                    .hasMessageContaining("second:1");
            assertThatThrownBy(() -> table().stat(DIRECTORY)).hasMessageContaining("second:1");
            assertThatThrownBy(() -> remote.stat(DIRECTORY))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("second:1");
            HttpResponse<String> health = HttpClient.newHttpClient()
                    .send(
                            HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + served.metricsPort() + "/healthz"))
                                    .build(),
                            HttpResponse.BodyHandlers.ofString());
            assertThat(health.statusCode()).isEqualTo(503);
            assertThat(health.body()).contains("second:1");
            assertThat(second.stat(DIRECTORY)).isPresent();
        }
    }

    @Test
    void theOneThatLostItsMountTakesItBackWhenTheOtherIsGone() throws IOException {
        BdtMaster second = takingOver("second");
        Bdt taken = TwoMasters.open(second, "store");
        assertThat(mkdir(taken, new FilePath("/new"))).isEqualTo(Outcome.DONE);
        world.pass(RENEWAL);
        assertThatThrownBy(() -> renew(first())).isInstanceOf(FencedException.class);
        second.close();
        Bdt back = TwoMasters.open(first(), "store");
        assertThat(back.stat(new FilePath("/new"))).isPresent();
        assertThat(mkdir(back, new FilePath("/more"))).isEqualTo(Outcome.DONE);
    }

    /** A copy of the first master's directory. */
    private void copyFirst(String name) throws IOException {
        Path copy = machines.resolve(name);
        try (Stream<Path> files = Files.walk(machines.resolve("first"))) {
            for (Path file : files.toList()) {
                Path target =
                        copy.resolve(machines.resolve("first").relativize(file).toString());
                if (Files.isDirectory(file)) {
                    Files.createDirectories(target);
                } else {
                    Files.copy(file, target);
                }
            }
        }
        world.copyTables(machines.resolve("first"), copy);
    }

    @Test
    void aCopyOfALiveMastersDirectoryWaitsForTheLeaseAsAnyOtherMaster() throws IOException {
        copyFirst("copy");
        BdtMaster copy = master("copy");
        for (int i = 0; i < 3; i++) {
            assertThatThrownBy(() -> TwoMasters.open(copy, "store"))
                    .isInstanceOf(UnavailableException.class)
                    .hasMessageContaining("first:1");
            world.pass(RENEWAL);
            renew(first());
        }
        assertThat(mkdir(table(), new FilePath("/still"))).isEqualTo(Outcome.DONE);
    }

    @Test
    void aCopyThatTookOverKeepsTheMountAgainstTheOriginal() throws IOException {
        copyFirst("copy");
        first().kill();
        BdtMaster copy = master("copy");
        assertThatThrownBy(() -> TwoMasters.open(copy, "store")).isInstanceOf(UnavailableException.class);
        world.pass(Duration.ofSeconds(45));
        Bdt taken = TwoMasters.open(copy, "store");
        assertThat(mkdir(taken, new FilePath("/by-the-copy"))).isEqualTo(Outcome.DONE);
        BdtMaster original = master("first");
        assertThatThrownBy(() -> TwoMasters.open(original, "store"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("copy:1");
        copy.close();
        // The store is asked once a second.
        world.pass(Duration.ofSeconds(1));
        assertThat(TwoMasters.open(original, "store").stat(new FilePath("/by-the-copy")))
                .as("the original's table is older, and is not believed")
                .isPresent();
    }

    @Test
    void ofTwoCopiesOfAStoppedDirectoryOneGoesOnAndTheOtherWaits() throws IOException {
        first().close();
        copyFirst("copy");
        assertThat(TwoMasters.open(master("copy"), "store").stat(DIRECTORY)).isPresent();
        assertThatThrownBy(() -> TwoMasters.open(master("first"), "store"))
                .isInstanceOf(UnavailableException.class)
                .hasMessageContaining("copy:1");
    }

    @Test
    void aMasterWhoseEpochAnotherOneRenewsStopsAndSaysWhy() throws IOException {
        LeaseHolder other = new LeaseHolder("copy:1", "i", "r", Instant.EPOCH, Duration.ofSeconds(45), 7, false);
        world.at("store").put(MasterObject.epoch(1).key(), ByteBuffer.wrap(other.encode()), PutCondition.NONE);
        world.pass(RENEWAL);
        assertThatThrownBy(() -> renew(first()))
                .isInstanceOf(FencedException.class)
                .hasMessageContaining("copy:1")
                .hasMessageContaining("copy of this master's data directory");
    }

    @Test
    void aMasterOfAVersionWithoutLeasesIsReplacedByTheOperatorsWordOnly() throws IOException {
        first().kill();
        world.at("store")
                .put(
                        MasterObject.epoch(1).key(),
                        ByteBuffer.wrap("a master took over\n".getBytes(StandardCharsets.UTF_8)),
                        PutCondition.NONE);
        BdtMaster second = master("second");
        UnavailableException refused =
                catchThrowableOfType(UnavailableException.class, () -> TwoMasters.open(second, "store"));
        assertThat(refused).hasMessageContaining("older version").hasMessageContaining("--take-over");
        world.pass(Duration.ofDays(1));
        assertThatThrownBy(() -> TwoMasters.open(second, "store")).isInstanceOf(UnavailableException.class);
        second.kill();
        assertThat(TwoMasters.open(takingOver("second"), "store").stat(DIRECTORY))
                .isPresent();
    }

    private LeaseHolder written() throws IOException {
        ByteBuffer text = world.at("store").getTail(MasterObject.epoch(1).key(), 1_000);
        byte[] bytes = new byte[text.remaining()];
        text.get(bytes);
        return LeaseHolder.decode(bytes).orElseThrow();
    }

    @Test
    void aMountThatNobodyElseWantsCostsNoPut() throws IOException {
        LeaseHolder before = written();
        for (int minute = 0; minute < 60; minute++) {
            world.pass(Duration.ofMinutes(1));
            renew(first());
        }
        assertThat(written()).isEqualTo(before);
    }

    @Test
    void aMountWhoseStoreIsEmptyHasAProblemUntilTheStoreIsBack() throws IOException {
        world.copy("store", "kept");
        world.at("store")
                .delete(world.at("kept").list("", "", 1_000).stream()
                        .map(ObjectInfo::key)
                        .toList());
        world.pass(Duration.ofMinutes(1));
        renew(first());
        assertThat(first().mounts().iterator().next().problem().orElseThrow())
                .contains("its store has no epoch 1 of it", "docs/recover.md");
        world.copy("kept", "store");
        world.pass(Duration.ofMinutes(1));
        renew(first());
        assertThat(first().mounts().iterator().next().problem()).isEmpty();
    }

    @Test
    void whoeverWaitsIsAnsweredOnceForEachQuestion() throws IOException {
        BdtMaster second = master("second");
        assertHeld(second, 45);
        for (int i = 0; i < 3; i++) {
            world.pass(RENEWAL);
            renew(first());
        }
        assertThat(written().renewal()).isEqualTo(1);
        assertHeld(second, 45);
        world.pass(RENEWAL);
        renew(first());
        assertThat(written().renewal()).isEqualTo(2);
    }

    @Test
    void aQuestionToTheRunBeforeIsNoneToThisOne() throws IOException {
        assertHeld(master("second"), 45);
        first().kill();
        BdtMaster again = master("first");
        assertThat(TwoMasters.open(again, "store").stat(DIRECTORY)).isPresent();
        LeaseHolder before = written();
        world.pass(RENEWAL);
        renew(again);
        assertThat(written()).isEqualTo(before);
    }

    @Test
    void whatAHolderWritesIsReadBackAndEverythingElseIsNobody() {
        LeaseHolder holder = new LeaseHolder("h:1", "i", "r", Instant.EPOCH, Duration.ofSeconds(45), 7, false);
        assertThat(LeaseHolder.decode(holder.encode())).contains(holder);
        assertThat(LeaseHolder.decode(holder.ended().encode())).contains(holder.ended());
        for (String other : List.of(
                "",
                "a master took over\n",
                "packing epoch 1\n",
                "packing epoch 2\naddress h:1\n",
                "packing epoch 1\nrun")) {
            assertThat(LeaseHolder.decode(other.getBytes(StandardCharsets.UTF_8)))
                    .as(other)
                    .isEmpty();
        }
        String endless = new String(holder.encode(), StandardCharsets.UTF_8).replace("45000", "" + Long.MAX_VALUE);
        assertThat(LeaseHolder.decode(endless.getBytes(StandardCharsets.UTF_8))
                        .orElseThrow()
                        .lease())
                .isEqualTo(Duration.ofHours(1));
    }
}
