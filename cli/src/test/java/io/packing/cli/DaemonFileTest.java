package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.packing.options.Option;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DaemonFileTest {
    @TempDir
    private Path directory;

    private Path file(String text) throws IOException {
        return Files.writeString(directory.resolve("daemon.conf"), text);
    }

    @Test
    void optionsAndArgumentsAreReadAsTheyAreWritten() throws IOException {
        Path file = file("""
                worker { master = "127.0.0.1:19998", id = w1, buffer-dir = /var/lib/packing/buffer, port = 0 }
                packing {
                  store = "s3://bucket/prefix"   # where blobs go
                  seal { after = 2m, put.price = 0.000005 }
                  threads = 4
                }
                """);
        DaemonFile read = DaemonFile.read(Daemon.WORKER, file);
        assertThat(read.arguments())
                .isEqualTo(Map.of(
                        "master", "127.0.0.1:19998", "id", "w1", "buffer-dir", "/var/lib/packing/buffer", "port", "0"));
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
        Path file = file("bdt { data.dir = /data, port = 19998, stores = [\"s3://bucket/b\", \"file:///c\"] }");
        assertThat(DaemonFile.read(Daemon.BDT_MASTER, file).options())
                .containsEntry("bdt.stores", "s3://bucket/b,file:///c")
                .containsEntry("bdt.port", "19998");
    }

    @Test
    void everythingThatIsWrongIsNamedAtOnce() throws IOException {
        Path file = file("""
                worker.mastr = "127.0.0.1:19998"
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
        Path file = file("worker { id = \"--json\", master = \"@/etc/passwd\" }");
        assertThat(DaemonFile.expand(List.of("worker", "--config=" + file)))
                .containsExactly("worker", "--id=--json", "--master=@/etc/passwd");
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
