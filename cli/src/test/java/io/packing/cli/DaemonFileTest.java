// SPDX-License-Identifier: Apache-2.0
package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.bdt.master.BdtMasterOptions;
import io.packing.options.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine.Model.OptionSpec;

class DaemonFileTest {
    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("daemon.conf"), text);
    }

    @Test
    void optionsAndArgumentsAreReadAsTheyAreWritten() throws IOException {
        Path file = file("""
            worker { master = "127.0.0.1:19990", id = w1, buffer-dir = /var/lib/packing/buffer, port = 0 }
            packing {
              store = "s3://bucket/prefix"   # where blobs go
              seal { after = 2m, put.price = 0.000005 }
              threads = 4
            }
            """);
        DaemonFile read = DaemonFile.read(Daemon.WORKER, file);
        assertThat(read.arguments())
                .isEqualTo(Map.of(
                        "master", "127.0.0.1:19990", "id", "w1", "buffer-dir", "/var/lib/packing/buffer", "port", "0"));
        assertThat(read.options())
                .isEqualTo(Map.of(
                        "packing.store",
                        "s3://bucket/prefix",
                        "packing.seal.after",
                        "2m",
                        "packing.seal.put.price",
                        "0.000005",
                        "packing.threads",
                        "4"));
    }

    @Test
    void aListIsWhatHasCommasOnTheCommandLine() throws IOException {
        Path file = file("bdt { data.dir = /data, port = 19990, stores = [\"s3://bucket/b\", \"file:///c\"] }");
        assertThat(DaemonFile.read(Daemon.BDT_MASTER, file).options())
                .containsEntry("bdt.stores", "s3://bucket/b,file:///c")
                .containsEntry("bdt.port", "19990");
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnce() throws IOException {
        Path file = file("""
            worker.mastr = "127.0.0.1:19990"
            packing { store = "s3://bucket/p", seal.aftr = 5s, threads = many, s3.secret.key = hidden }
            """);
        assertThatThrownBy(() -> DaemonFile.read(Daemon.WORKER, file))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(file.toString())
                .hasMessageContaining("'worker.mastr'; did you mean 'worker.master'?")
                .hasMessageContaining("'packing.seal.aftr'; did you mean 'packing.seal.after'?")
                .hasMessageContaining("option packing.threads: bad value 'many'")
                .hasMessageContaining("PACKING_S3_SECRET_KEY")
                .hasMessageNotContaining("hidden");
    }

    @Test
    void aFileThatIsNotThereOrNotHoconIsNamed() throws IOException {
        Path missing = directory.resolve("missing.conf");
        assertThatThrownBy(() -> DaemonFile.read(Daemon.WORKER, missing)).hasMessageContaining("missing.conf");
        Path broken = file("packing { store = ");
        assertThatThrownBy(() -> DaemonFile.read(Daemon.WORKER, broken)).hasMessageContaining("daemon.conf");
    }

    @Test
    void theCommandLineGoesBeforeTheFile() throws IOException {
        Path file = file("""
            worker { master = "127.0.0.1:1", id = w1 }
            packing { store = "file:///a", threads = 4 }
            """);
        List<String> words = DaemonFile.expand(
                List.of("worker", "--id=w2", "--config", file.toString(), "--option", "packing.threads=8", "--json"));
        assertThat(words)
                .containsExactly(
                        "worker",
                        "--id=w2",
                        "--option",
                        "packing.threads=8",
                        "--json",
                        "--master=127.0.0.1:1",
                        "--option=packing.store=file:///a");
    }

    @Test
    void aValueStaysAValueWhateverItBeginsWith() throws IOException {
        Path file = file("worker { host = \"--json\", buffer-dir = \"@/etc/passwd\" }");
        assertThat(DaemonFile.expand(List.of("worker", "--config=" + file)))
                .containsExactly("worker", "--buffer-dir=@/etc/passwd", "--host=--json");
    }

    @Test
    void otherCommandsAndCommandLinesWithoutAFileStayAsTheyAre() throws IOException {
        List<String> other = List.of("du", "--config", "x");
        assertThat(DaemonFile.expand(other)).isEqualTo(other);
        List<String> none = List.of("worker", "--id", "w");
        assertThat(DaemonFile.expand(none)).isEqualTo(none);
        List<String> missing = List.of("worker", "--config");
        assertThat(DaemonFile.expand(missing)).isEqualTo(missing);
    }

    @Test
    void aRegistryIsADaemonToo() throws IOException {
        Path file = file("""
            registry {
              store = "packing://127.0.0.1:19990/registry", bind = "127.0.0.1:5000"
              read-only = true, no-dedup = false
            }
            packing.store = "s3://bucket/prefix"
            """);
        assertThat(DaemonFile.expand(List.of("registry", "--config", file.toString(), "--bind=127.0.0.1:0")))
                .containsExactly(
                        "registry",
                        "--bind=127.0.0.1:0",
                        "--read-only",
                        "--store=packing://127.0.0.1:19990/registry",
                        "--option=packing.store=s3://bucket/prefix");
        List<String> below = List.of("registry", "gc", "--config", file.toString());
        assertThat(DaemonFile.expand(below)).isEqualTo(below);
    }

    @Test
    void badValuesOfArgumentsAndWhatIsMissingAreNamedWithTheRest() throws IOException {
        Path file = file("""
            worker { master = "nowhere", id = "a b", port = x }
            packing.threads = many
            """);
        CommandRun run = CommandRun.of("config", "check", file.toString());
        assertThat(run.exitCode()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err())
                .contains("worker.master: bad value 'nowhere': 'nowhere' is not HOST:PORT")
                .contains("worker.id: bad value 'a b': bad worker id 'a b'")
                .contains("worker.port: bad value 'x'")
                .contains("option packing.threads: bad value 'many'")
                .contains("worker.buffer-dir is missing");
        assertThat(CommandRun.of("config", "check", file("worker.id = w").toString())
                        .err())
                .contains("worker.mount is missing", "worker.buffer-dir is missing");
        Path registry = file("registry { store = \"file:///x\", read-only = perhaps }");
        assertThat(CommandRun.of("config", "check", registry.toString()).err())
                .contains(
                        "registry.store: bad value 'file:///x': 'file:///x' is not packing://[MOUNT@]HOST[:PORT]/PATH")
                .contains("registry.read-only: bad value 'perhaps'");
        assertThat(CommandRun.of("config", "check", file("bdt.port = 1").toString())
                        .err())
                .contains("bdt.stores is missing");
    }

    @Test
    void theKeysSayWhichDaemonAFileIsOf() throws IOException {
        Path worker = file("""
            worker { master = "127.0.0.1:1", id = w, buffer-dir = /b }
            packing.store = "file:///s"
            """);
        CommandRun run = CommandRun.of("config", "check", worker.toString());
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
        assertThat(run.out()).contains("4 settings of 'worker'");
        assertThat(CommandRun.of("config", "check", "worker", worker.toString()).exitCode())
                .isEqualTo(ExitCodes.OK);
        assertThat(CommandRun.of(
                                "config",
                                "check",
                                "--json",
                                file("bdt.stores = [\"file:///s\"]").toString())
                        .out())
                .contains("\"daemon\" : \"bdt-master\"");
        for (String unclear : List.of("packing.threads = 2", "bdt.port = 1, worker.id = a", "other = 1")) {
            assertThat(CommandRun.of("config", "check", file(unclear).toString())
                            .err())
                    .contains(
                            "daemon.conf",
                            "Name the daemon before the file: one of bdt-master, worker, registry and s3");
        }
        assertThat(CommandRun.of("config", "check", "wroker", worker.toString()).err())
                .contains("'wroker' is no daemon: there are bdt-master, worker, registry and s3");
    }

    @Test
    void theTemplateOfAFileIsOneWhenItsCommentsAreTakenAway() throws IOException {
        for (Daemon daemon : Daemon.ALL) {
            CommandRun run = CommandRun.of("config", "defaults", "--hocon", daemon.command());
            assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.OK);
            Path commented = file(run.out());
            assertThat(DaemonFile.read(daemon, commented).options()).isEmpty();
            Path all = file(run.out()
                    .lines()
                    .map(line -> line.startsWith("# ") && line.contains(" = ") ? line.substring(2) : line)
                    .collect(Collectors.joining("\n")));
            CommandRun check = CommandRun.of("config", "check", all.toString());
            assertThat(check.exitCode()).as(check.err()).isEqualTo(ExitCodes.OK);
            assertThat(DaemonFile.read(daemon, all).options().keySet())
                    .hasSizeGreaterThan(daemon.options().size() / 2);
            assertThat(run.out()).doesNotContain("s3.secret.key", "s3.access.key");
        }
    }

    /** The file's keys are derived from the command: a flag that is added to a daemon is known to its file. */
    @Test
    void aFileTakesEveryFlagOfItsCommandAndTheTemplateHasThem() throws IOException {
        Set<String> others = Set.of("--config", "--option", "--json", "--verbose", "--help", "--version");
        for (Daemon daemon : Daemon.ALL) {
            List<OptionSpec> flags = Objects.requireNonNull(
                            Main.commandFor(daemon.command()).getSubcommands().get(daemon.command()))
                    .getCommandSpec()
                    .options()
                    .stream()
                    .filter(flag -> !others.contains(flag.longestName()))
                    .toList();
            assertThat(flags).as(daemon.command()).hasSizeGreaterThan(5);
            String hocon = CommandRun.of("config", "defaults", "--hocon", daemon.command())
                    .out();
            String words = CommandRun.of("config", "defaults", daemon.command()).out();
            for (OptionSpec flag : flags) {
                String name = flag.longestName().substring(2);
                String value = flag.arity().max() == 0 ? "true" : "x";
                String read = CommandRun.of(
                                "config",
                                "check",
                                daemon.command(),
                                file("%s.%s = \"%s\"".formatted(daemon.command(), name, value))
                                        .toString())
                        .err();
                assertThat(read).as(name).doesNotContain("unknown key");
                if (!flag.hidden()) {
                    assertThat(hocon).containsPattern("# %s\\.%s( =|:)".formatted(daemon.command(), name));
                    assertThat(words).containsPattern("# --%s\\b".formatted(name));
                }
            }
            assertThat(hocon + words).doesNotContain("${");
        }
    }

    @Test
    void aFileSaysWhichMountAndTheCommandLineGoesBeforeIt() throws IOException {
        Path file = file("""
            worker { mount = "packing://127.0.0.1:19990/", id = w, buffer-dir = /b, metrics-port = 0 }
            """);
        assertThat(CommandRun.of("config", "check", file.toString()).out()).contains("4 settings of 'worker'");
        assertThat(DaemonFile.expand(List.of("worker", "--config", file.toString())))
                .containsExactly(
                        "worker", "--buffer-dir=/b", "--id=w", "--metrics-port=0", "packing://127.0.0.1:19990/");
        assertThat(DaemonFile.expand(List.of("worker", "packing://other/", "--config", file.toString())))
                .containsExactly("worker", "packing://other/", "--buffer-dir=/b", "--id=w", "--metrics-port=0");
    }

    /** An example of another port has the reader's clients look where nothing is, or at another program's port. */
    @Test
    void theTemplatesNameTheMastersDefaultPort() {
        String port = BdtMasterOptions.OPTIONS.stream()
                .filter(option -> option.key().equals("bdt.port"))
                .findFirst()
                .orElseThrow()
                .defaultText();
        assertThat(Daemon.BDT_MASTER.needed()).containsEntry("bdt.port", port);
        assertThat(Daemon.WORKER.needed()).containsEntry("worker.mount", "packing://127.0.0.1:" + port + "/");
        assertThat(Daemon.REGISTRY.needed())
                .containsEntry("registry.mount", "packing://127.0.0.1:%s/registry".formatted(port));
    }

    @Test
    void noKeyOfAnEarlierVersionIsTakenByAnotherOption() {
        for (Daemon daemon : Daemon.ALL) {
            List<String> keys = daemon.options().stream()
                    .flatMap(option -> Stream.concat(Stream.of(option.key()), option.replaced().stream()))
                    .toList();
            assertThat(keys).doesNotHaveDuplicates();
        }
    }

    @Test
    void noKeyIsTheBeginningOfAnother() {
        // HOCON could not have both.
        List<String> keys = Daemon.ALL.stream()
                .flatMap(daemon -> daemon.options().stream())
                .map(Option::key)
                .toList();
        assertThat(keys).isNotEmpty();
        for (String key : keys) {
            assertThat(keys).noneMatch(other -> other.startsWith(key + "."));
        }
    }

    @Test
    void aFileThatIsWrongEndsTheCommandWithItsExitCode() throws IOException {
        Path file = file("packing.threads = many");
        assertThat(Main.execute("worker", "--config", file.toString())).isEqualTo(ExitCodes.USAGE);
    }
}
