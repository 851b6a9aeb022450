// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.master.AllowedStores;
import io.packing.bdt.master.BdtMaster;
import io.packing.bdt.master.BdtMasterOptions;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonFileWatchTest {
    @TempDir
    private Path directory;

    private final List<String> told = new ArrayList<>();
    private int written;

    /** Writes a file of another length each time: the file system's clock may not have moved on. */
    private Path write(String text) throws IOException {
        return Files.writeString(directory.resolve("daemon.conf"), text + " ".repeat(++written));
    }

    private DaemonFileWatch watch(Path file, String... words) {
        return new DaemonFileWatch(Daemon.BDT_MASTER, file, List.of(words), (key, value) -> {
            told.add(key + " " + value.orElse("default"));
            return true;
        });
    }

    @Test
    void onlyWhatChangedIsTold() throws IOException {
        Path file = write("bdt { port = 1, stores = [\"file:///a\"], audit = true }");
        DaemonFileWatch watch = watch(file);
        watch.step();
        assertThat(told).isEmpty();
        write("bdt { port = 1, stores = [\"file:///a\", \"file:///b\"] }");
        watch.step();
        watch.step();
        assertThat(told).containsExactly("bdt.audit default", "bdt.stores file:///a,file:///b");
    }

    @Test
    void theCommandLineStillGoesBeforeTheFile() throws IOException {
        Path file = write("bdt { stores = [\"file:///a\"], audit = true }");
        DaemonFileWatch watch = watch(file, "bdt-master", "--option", "bdt.stores=file:///c");
        write("bdt { stores = [\"file:///b\"], audit = false }");
        watch.step();
        assertThat(told).containsExactly("bdt.audit false");
    }

    @Test
    void aFileThatIsWrongOrGoneChangesNothingUntilItIsMended() throws IOException {
        Path file = write("bdt { stores = [\"file:///a\"] }");
        DaemonFileWatch watch = watch(file);
        write("bdt { stores = [\"file:///b\"], no.such.key = 1 }");
        watch.step();
        Files.delete(file);
        watch.step();
        assertThat(told).isEmpty();
        write("bdt { stores = [\"file:///c\"] }");
        watch.step();
        assertThat(told).containsExactly("bdt.stores file:///c");
    }

    @Test
    void aRunningMasterTakesStoresThatAreAllowedLater() throws IOException {
        String first = Files.createDirectory(directory.resolve("first")).toUri().toString();
        String second =
                Files.createDirectory(directory.resolve("second")).toUri().toString();
        try (BdtMaster master = BdtMaster.start(BdtMasterOptions.from(
                Map.of("bdt.data.dir", directory.resolve("bdt").toString(), "bdt.stores", first)))) {
            assertThat(master.open(Map.of("packing.store", first))).isNotNull();
            assertThatThrownBy(() -> master.open(Map.of("packing.store", second)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("bdt.stores");
            master.allow(AllowedStores.parse(first + "," + second));
            assertThat(master.open(Map.of("packing.store", second))).isNotNull();
        }
    }

    @Test
    void theCheckSaysWhatNeedsARestart() throws IOException {
        CommandRun run = CommandRun.of(
                "config",
                "check",
                write("bdt { port = 1, stores = [\"file:///a\"], supergroup = admins }")
                        .toString());
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out())
                .contains("taken while it runs, when they change: bdt.stores, bdt.supergroup\n")
                .contains("need a restart, when they change: bdt.port\n");
    }

    @Test
    void everySettingThatIsTakenByARunningDaemonIsDocumented() throws IOException {
        String operations = Files.readString(Path.of("../docs/operations.md"));
        for (Daemon daemon : Daemon.ALL) {
            daemon.running().forEach(option -> assertThat(operations).contains("`" + option.key() + "`"));
        }
        assertThat(Daemon.REGISTRY.takesRunning("packing.seal.after")).isFalse();
    }

    @Test
    void aDaemonWithoutAFileIsNotWatched() {
        assertThat(DaemonFileWatch.of(List.of("bdt-master", "--bind", "127.0.0.1:0"), Main.commandLine()))
                .isEqualTo(Optional.empty());
        assertThat(DaemonFileWatch.of(List.of("config", "check", "--config=x"), Main.commandLine()))
                .isEmpty();
    }
}
