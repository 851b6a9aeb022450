// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/** Requests of HTTP/1.1 in sequence, for a server's paths, with hostile names, headers and bodies. */
public final class HttpNoise implements Noise {
    private static final List<String> METHODS =
            List.of("GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "get", "G\tT", "");
    private static final List<String> NAMES = List.of(
            "noise",
            "noise/two",
            "..",
            "a/../../b",
            "%2e%2e/x",
            "UPPER",
            "a//b",
            "",
            "%00",
            "%ff%fe",
            "%zz",
            "a".repeat(300),
            "a/".repeat(200),
            "_",
            "ä");
    private static final List<String> DIGESTS = List.of(
            "sha256:" + "0".repeat(64),
            "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
            "sha512:" + "0".repeat(128),
            "sha256:xyz",
            "sha256:",
            "md5:00",
            "latest",
            "..",
            "%2f",
            "t".repeat(129),
            "");
    private static final List<String> NUMBERS = List.of(
            "0", "1", "-1", "10", "1000000000", "9223372036854775807", "9223372036854775808", "1e9", "x", "", "0x10");
    private static final List<String> TYPES = List.of(
            "application/octet-stream",
            "application/vnd.oci.image.manifest.v1+json",
            "application/vnd.oci.image.index.v1+json",
            "application/vnd.docker.distribution.manifest.v2+json",
            "text/html",
            "/",
            "x".repeat(5_000));

    private final List<String> paths;

    /**
     * Makes noise for a server.
     *
     * @param paths with {@code {name}} and {@code {digest}} in the places of names and digests
     */
    public HttpNoise(List<String> paths) {
        this.paths = List.copyOf(paths);
    }

    private static String one(List<String> of, RandomGenerator random) {
        return of.get(random.nextInt(of.size()));
    }

    @Override
    public byte[] bytes(RandomGenerator random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        for (int i = random.nextInt(1, 5); i > 0 && all.size() < MOST_BYTES; i--) {
            request(all, random);
        }
        return Noise.damaged(all.toByteArray(), random);
    }

    private void request(ByteArrayOutputStream all, RandomGenerator random) {
        byte[] body = body(random);
        StringBuilder head = new StringBuilder();
        head.append(one(METHODS.subList(0, random.nextInt(8) == 0 ? METHODS.size() : 6), random));
        head.append(' ').append(target(random)).append(random.nextInt(30) == 0 ? " HTTP/9.9" : " HTTP/1.1");
        head.append("\r\n");
        if (random.nextInt(20) > 0) {
            head.append("Host: localhost\r\n");
        }
        boolean chunked = random.nextInt(5) == 0;
        if (chunked) {
            head.append("Transfer-Encoding: chunked\r\n");
        }
        if (!chunked || random.nextInt(10) == 0) {
            String length = random.nextInt(8) == 0 ? one(NUMBERS, random) : Integer.toString(body.length);
            head.append("Content-Length: ").append(length).append("\r\n");
        }
        for (int i = random.nextInt(random.nextInt(30) == 0 ? 300 : 4); i > 0; i--) {
            head.append(header(random)).append("\r\n");
        }
        head.append("\r\n");
        all.writeBytes(head.toString().getBytes(StandardCharsets.ISO_8859_1));
        if (chunked) {
            String size = random.nextInt(4) == 0 ? one(NUMBERS, random) : Integer.toHexString(body.length);
            all.writeBytes((size + "\r\n").getBytes(StandardCharsets.US_ASCII));
            all.writeBytes(body);
            all.writeBytes((random.nextInt(4) == 0 ? "" : "\r\n0\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        } else {
            all.writeBytes(body);
        }
    }

    private String target(RandomGenerator random) {
        String path = one(paths, random);
        while (path.contains("{name}")) {
            path = path.replace("{name}", random.nextInt(2) == 0 ? "noise" : one(NAMES, random));
        }
        while (path.contains("{digest}")) {
            path = path.replace("{digest}", one(DIGESTS, random));
        }
        return switch (random.nextInt(6)) {
            case 0 -> path + "?n=" + one(NUMBERS, random) + "&last=" + one(NAMES, random);
            case 1 -> path + "?digest=" + one(DIGESTS, random);
            case 2 -> path + "?mount=" + one(DIGESTS, random) + "&from=" + one(NAMES, random);
            case 3 ->
                path + "?artifactType=" + one(NAMES, random) + "&scope=repository:" + one(NAMES, random) + ":pull";
            default -> path;
        };
    }

    private static String header(RandomGenerator random) {
        return switch (random.nextInt(9)) {
            case 0 -> "Range: bytes=" + one(NUMBERS, random) + "-" + one(NUMBERS, random);
            case 1 -> "Content-Range: " + one(NUMBERS, random) + "-" + one(NUMBERS, random);
            case 2 -> "Content-Type: " + one(TYPES, random);
            case 3 -> "Accept: " + one(TYPES, random);
            case 4 -> "Authorization: " + (random.nextBoolean() ? "Basic " : "Bearer ") + one(DIGESTS, random);
            case 5 -> "If-None-Match: \"" + one(DIGESTS, random) + "\"";
            case 6 -> "Expect: 100-continue";
            case 7 -> "Accept-Encoding: " + one(NAMES, random);
            default -> "X-" + random.nextInt() + ": " + "v".repeat(random.nextInt(200));
        };
    }

    private static byte[] body(RandomGenerator random) {
        return switch (random.nextInt(8)) {
            case 0 -> Noise.random(random);
            case 1 ->
                ("{\"schemaVersion\":2,\"mediaType\":\"" + one(TYPES, random) + "\",\"config\":{\"digest\":\""
                                + one(DIGESTS, random) + "\",\"size\":" + one(NUMBERS, random) + "},\"layers\":"
                                + "[".repeat(random.nextInt(3) == 0 ? 20_000 : 1) + "]}")
                        .getBytes(StandardCharsets.UTF_8);
            case 2 -> {
                byte[] zipped = Noise.random(random);
                if (zipped.length > 2) {
                    zipped[0] = 0x1f;
                    zipped[1] = (byte) 0x8b;
                }
                yield zipped;
            }
            default -> new byte[0];
        };
    }
}
