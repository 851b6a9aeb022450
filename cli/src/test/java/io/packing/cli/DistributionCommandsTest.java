package io.packing.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that start servers, called from an unpacked distribution. {@code bin/test-dist} runs some from the real one. */
class DistributionCommandsTest {
    private static final String HOME = "packing.home";

    @TempDir
    private Path distribution = Path.of("");

    private Optional<String> before = Optional.empty();

    @BeforeEach
    void nameTheDistribution() throws Exception {
        Path prices = Files.createDirectories(distribution.resolve("conf/prices"));
        Path unused =
                Files.copy(Path.of("../conf/prices/s3-standard.properties"), prices.resolve("s3-standard.properties"));
        before = Optional.ofNullable(System.getProperty(HOME));
        System.setProperty(HOME, distribution.toString());
    }

    @AfterEach
    void nameWhatWasNamed() {
        before.ifPresentOrElse(home -> System.setProperty(HOME, home), () -> System.clearProperty(HOME));
    }

    @ParameterizedTest
    @CsvSource({
        "demo, Alluxio",
        "experiment ingest --door alluxio, Alluxio",
        "experiment door, Alluxio",
        "experiment hbase, HDFS and HBase",
        "trace demo, HDFS and HBase"
    })
    void whatStartsServersOfOthersIsRefusedAndSaysWhereItRuns(String command, String servers) {
        CommandRun run = CommandRun.of(command.split(" "));
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCodes.USAGE);
        assertThat(run.err())
                .startsWith(
                        "packing: the distribution has no jars of %s. Run this in a clone of the source: bin/packing %s"
                                .formatted(servers, command));
        assertThat(run.out()).isEmpty();
    }

    @Test
    void whatTheDemonstrationNamesRunsThere() {
        CommandRun refused = CommandRun.of("demo", "--files", "20");
        assertThat(refused.err()).endsWith(", or here without Alluxio: bin/packing experiment ingest --files 20\n");
        CommandRun run = CommandRun.of("experiment ingest --files 20 --warm-up 0 --json".split(" "));
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(run.out()).contains("\"puts_per_gb\"");
    }
}
