package io.packing.sorted;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.packing.seed.Seed;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A disk that others fill to the last byte does not end the process that has a LevelDB on it. */
@Timeout(300)
class FullDiskStoreTest {
    private static final long SEED = Seed.value();

    private static final int ROUNDS = 4;

    @TempDir
    private Path temp;

    @Test
    void othersMayFillTheDiskInTheMiddleOfALoadAndReadsGoOn() throws IOException, InterruptedException {
        Path disk = Files.createDirectories(temp.resolve("disk"));
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=200m", "tmpfs", disk.toString()) == 0,
                "a full disk is tested where mounting a tmpfs is permitted: run as root");
        try {
            int code = run(
                    Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                    "-Xmx192m",
                    "-XX:-CreateCoredumpOnCrash",
                    "-XX:ErrorFile=" + temp.resolve("crash.log"),
                    "-cp",
                    System.getProperty("java.class.path"),
                    FullDiskLevelDb.class.getName(),
                    disk.toString(),
                    Long.toString(SEED),
                    Integer.toString(ROUNDS));
            String out = Files.readString(temp.resolve("out"));
            assertThat(code).as("seed %d: %s", SEED, out).isZero();
            assertThat(out).as("seed %d", SEED).contains("suspended " + ROUNDS);
        } finally {
            assertThat(run("umount", "-l", disk.toString())).isZero();
        }
    }

    private int run(String... command) throws IOException, InterruptedException {
        return new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(temp.resolve("out").toFile())
                .start()
                .waitFor();
    }
}
