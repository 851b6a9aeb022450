// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.peers;

import io.packing.process.Await;
import io.packing.rig.S3Process;
import io.packing.storeservers.InstalledProgram;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A mounted volume of JuiceFS over an S3 server, with its metadata in SQLite. It ends with this JVM. */
final class JuiceFs implements AutoCloseable {
    private static final String TYPE = "fuse.juicefs";
    private static final Duration START = Duration.ofSeconds(60);
    private static final Duration END = Duration.ofSeconds(30);

    /**
     * The shell that waits until this process closes its standard input or ends. Then it unmounts. The first argument
     * is the program, the second one the directory.
     */
    private static final String LEASH =
            "program=$1; directory=$2; shift 2; \"$program\" mount \"$@\" </dev/null & server=$!;"
                    + " cat >/dev/null; \"$program\" umount \"$directory\" || kill -9 $server; wait $server";

    private final Process leash;
    private final Path directory;
    private final Path log;

    private JuiceFs(Process leash, Path directory, Path log) {
        this.leash = leash;
        this.directory = directory;
        this.log = log;
    }

    /**
     * Formats a volume and mounts it.
     *
     * @param name of the volume, which is the prefix of its objects
     * @param home the folder for all of its local files
     * @param flags of the mount beside those that say what and where
     */
    static JuiceFs start(InstalledProgram program, S3Process store, String name, Path home, List<String> flags)
            throws IOException, InterruptedException {
        Files.createDirectories(home);
        Path log = home.resolve("juicefs.log");
        String metadata = "sqlite3://" + home.resolve("metadata.db");
        run(
                log,
                Map.of("ACCESS_KEY", store.accessKey(), "SECRET_KEY", store.secretKey()),
                program.path().toString(),
                "format",
                "--storage",
                "s3",
                "--bucket",
                store.endpoint() + "/" + S3Process.BUCKET,
                metadata,
                name);
        Path directory = Files.createDirectory(home.resolve("mounted"));
        List<String> words = new ArrayList<>(List.of(
                "sh", "-c", LEASH, "juicefs", program.path().toString(), directory.toString(), "--no-usage-report"));
        words.addAll(List.of("--cache-dir", home.resolve("cache").toString()));
        words.addAll(flags);
        words.addAll(List.of(metadata, directory.toString()));
        Process leash = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        JuiceFs mounted = new JuiceFs(leash, directory, log);
        try {
            mounted.awaitMount();
        } catch (IOException | InterruptedException | RuntimeException e) {
            mounted.close();
            throw e;
        }
        return mounted;
    }

    private static void run(Path log, Map<String, String> environment, String... words)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(words)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()));
        builder.environment().putAll(environment);
        int status = builder.start().waitFor();
        if (status != 0) {
            throw new IOException("juicefs %s ended with %d: %s"
                    .formatted(words[1], status, Files.readString(log).strip()));
        }
    }

    private void awaitMount() throws IOException, InterruptedException {
        Await.until(
                "JuiceFS does not mount " + directory + "; see " + log, START, () -> isMounted() || !leash.isAlive());
        if (!isMounted()) {
            throw new IOException("JuiceFS ended: " + Files.readString(log).strip());
        }
    }

    private boolean isMounted() throws IOException {
        String wanted = " " + directory + " " + TYPE + " ";
        return Files.readAllLines(Path.of("/proc/self/mounts")).stream().anyMatch(line -> line.contains(wanted));
    }

    Path directory() {
        return directory;
    }

    @Override
    public void close() throws IOException {
        leash.getOutputStream().close();
        try {
            if (!leash.waitFor(END.toMillis(), TimeUnit.MILLISECONDS)) {
                leash.destroyForcibly();
                throw new IOException("JuiceFS does not end; see " + log);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
