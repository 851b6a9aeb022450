// SPDX-License-Identifier: Apache-2.0
package io.packing.s3server;

import io.packing.status.FatalErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import org.slf4j.LoggerFactory;

/**
 * The S3 server as a process of its own, which runs until it is terminated.
 *
 * <p>It prints {@code endpoint=http://127.0.0.1:PORT} when it answers, and serves its metrics as JSON at
 * {@code /-/metrics}.
 */
public final class S3ServerMain {
    private static final String USAGE = "usage: --directory DIR [--port N] [--bucket NAME]... [--access-key KEY]"
            + " [--secret-key KEY] [--put-limit PER_SECOND] [--put-latency-millis N] [--get-latency-millis N]"
            + " [--access-log FILE]";
    private static final String ACCESS_LOG = "--access-log";

    private S3ServerMain() {}

    /** Runs the server. Wrong arguments give exit code 2. */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        S3ServerOptions config;
        Optional<Path> accessLog = Optional.empty();
        List<String> words = new ArrayList<>(List.of(arguments));
        int at = words.indexOf(ACCESS_LOG);
        if (at >= 0 && at + 1 < words.size()) {
            accessLog = Optional.of(Path.of(words.remove(at + 1)));
            String unused = words.remove(at);
        }
        try {
            config = parse(words);
        } catch (IllegalArgumentException e) {
            System.err.println(e.getMessage());
            System.err.println(USAGE);
            System.exit(2);
            return;
        }
        Files.createDirectories(config.directory());
        FatalErrors.install("the S3 server", LoggerFactory.getLogger(S3ServerMain.class)::error);
        S3Server server = S3Server.start(config, accessLog);
        Runtime.getRuntime().addShutdownHook(new Thread(() -> stop(server), "stop"));
        System.out.println("endpoint=" + server.endpoint());
        System.out.flush();
        new CountDownLatch(1).await();
    }

    private static void stop(S3Server server) {
        try {
            server.close();
        } catch (IOException e) {
            System.err.println(e.getMessage());
        }
    }

    static S3ServerOptions parse(List<String> arguments) {
        Path directory = Path.of("");
        String accessKey = "access";
        String secretKey = "secret";
        int port = 0;
        int limit = 0;
        Duration latency = Duration.ZERO;
        Duration getLatency = Duration.ZERO;
        List<String> buckets = new ArrayList<>();
        for (int i = 0; i < arguments.size(); i += 2) {
            String name = arguments.get(i);
            if (i + 1 == arguments.size()) {
                throw new IllegalArgumentException(name + " needs a value");
            }
            String value = arguments.get(i + 1);
            switch (name) {
                case "--directory" -> directory = Path.of(value);
                case "--port" -> port = number(name, value);
                case "--bucket" -> buckets.add(value);
                case "--access-key" -> accessKey = value;
                case "--secret-key" -> secretKey = value;
                case "--put-limit" -> limit = number(name, value);
                case "--put-latency-millis" -> latency = Duration.ofMillis(number(name, value));
                case "--get-latency-millis" -> getLatency = Duration.ofMillis(number(name, value));
                default -> throw new IllegalArgumentException("unknown argument " + name);
            }
        }
        if (directory.toString().isEmpty()) {
            throw new IllegalArgumentException("--directory is missing");
        }
        return new S3ServerOptions(port, directory, accessKey, secretKey, buckets, limit, latency, getLatency);
    }

    private static int number(String name, String value) {
        try {
            return Integer.parseInt(value);
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("%s: '%s' is not a whole number".formatted(name, value), e);
        }
    }
}
