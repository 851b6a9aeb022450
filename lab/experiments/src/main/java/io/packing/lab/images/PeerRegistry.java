// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.images;

import io.packing.process.Ports;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/** Debian's docker-registry as a process, with its S3 driver, or with its driver for local files. */
final class PeerRegistry implements AutoCloseable {
    private static final int TRIES = 100;
    private static final long PAUSE_MILLIS = 100;
    /** The prefix of the bucket that it stores below. */
    static final String PREFIX = "peer";

    private final Process process;
    private final URI uri;

    private PeerRegistry(Process process, URI uri) {
        this.process = process;
        this.uri = uri;
    }

    /** Says what is missing on this machine, if anything is. */
    static void check() {
        HostPrograms.check("docker-registry", "apt-get install docker-registry");
    }

    /** Starts one over a bucket; when this returns it answers. It passes all bytes on itself. */
    static PeerRegistry start(Path directory, S3Process s3) throws IOException, InterruptedException {
        return start(directory, """
                  s3:
                    accesskey: %s
                    secretkey: %s
                    region: us-east-1
                    regionendpoint: %s
                    bucket: %s
                    rootdirectory: /%s
                    secure: false
                    v4auth: true
                  redirect:
                    disable: true
                """.formatted(s3.accessKey(), s3.secretKey(), s3.endpoint(), S3Process.BUCKET, PREFIX));
    }

    /** Starts one over files of the local disk, which no other machine can serve. */
    static PeerRegistry startOnFiles(Path directory) throws IOException, InterruptedException {
        return start(directory, """
                  filesystem:
                    rootdirectory: %s
                """.formatted(Files.createDirectories(directory.resolve("layers"))));
    }

    /** @param storage lines of the configuration */
    private static PeerRegistry start(Path directory, String storage) throws IOException, InterruptedException {
        int port = Ports.free(1).get(0);
        Path configuration = directory.resolve("docker-registry.yml");
        Files.writeString(configuration, """
                version: 0.1
                log:
                  level: error
                storage:
                %shttp:
                  addr: 127.0.0.1:%d
                """.formatted(storage, port));
        ProcessBuilder builder = new ProcessBuilder("docker-registry", "serve", configuration.toString())
                .redirectErrorStream(true)
                .redirectOutput(directory.resolve("docker-registry.log").toFile());
        // Its S3 client does not start with one.
        builder.environment().remove("AWS_CA_BUNDLE");
        PeerRegistry peer = new PeerRegistry(builder.start(), URI.create("http://127.0.0.1:" + port));
        for (int i = 0; i < TRIES; i++) {
            if (peer.answers()) {
                return peer;
            }
            Thread.sleep(PAUSE_MILLIS);
        }
        peer.close();
        throw new IOException("docker-registry does not answer: "
                + Files.readString(directory.resolve("docker-registry.log")).strip());
    }

    private boolean answers() {
        try {
            HttpURLConnection connection =
                    (HttpURLConnection) uri.resolve("/v2/").toURL().openConnection();
            return connection.getResponseCode() == HttpURLConnection.HTTP_OK;
        } catch (IOException e) {
            return false;
        }
    }

    URI uri() {
        return uri;
    }

    /** Processor time that it has used so far; zero where the system does not tell. */
    Duration cpu() {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    @Override
    public void close() throws InterruptedException {
        process.destroy();
        if (!process.waitFor(10, TimeUnit.SECONDS)) {
            process.destroyForcibly();
        }
    }
}
