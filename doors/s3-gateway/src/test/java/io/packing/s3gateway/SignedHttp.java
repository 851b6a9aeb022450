// SPDX-License-Identifier: Apache-2.0
package io.packing.s3gateway;

import io.packing.s3gateway.auth.AccessKey;
import io.packing.s3gateway.auth.SigningKey;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Requests with signatures, byte for byte as a test wants them: paths stay as they are. */
public final class SignedHttp {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'").withZone(ZoneOffset.UTC);

    private final URI gateway;
    private final AccessKey key;

    public SignedHttp(URI gateway, AccessKey key) {
        this.gateway = gateway;
        this.key = key;
    }

    /**
     * An answer.
     *
     * @param text of all of it
     */
    public record Answer(String text) {
        public int status() {
            return Integer.parseInt(text.substring(9, 12));
        }

        /** Returns the code of an error; empty without one. */
        public String code() {
            int begin = text.indexOf("<Code>");
            return begin < 0 ? "" : text.substring(begin + 6, text.indexOf("</Code>"));
        }

        public String body() {
            return text.substring(text.indexOf("\r\n\r\n") + 4);
        }
    }

    /** Returns the head of a signed request. */
    public String head(String method, String path, String query, Instant time, byte[] body, Map<String, String> more) {
        Map<String, String> headers = new TreeMap<>(more);
        String date = TIME.format(time);
        headers.put("host", "%s:%d".formatted(gateway.getHost(), gateway.getPort()));
        headers.put("x-amz-date", date);
        headers.putIfAbsent("x-amz-content-sha256", sha256(body));
        String names = String.join(";", headers.keySet());
        String canonical = "%s\n%s\n%s\n%s\n%s\n%s"
                .formatted(
                        method,
                        path,
                        query,
                        headers.entrySet().stream()
                                .map(each -> each.getKey() + ":" + each.getValue() + "\n")
                                .collect(Collectors.joining()),
                        names,
                        headers.get("x-amz-content-sha256"));
        SigningKey.Scope scope = new SigningKey.Scope(date.substring(0, 8), "us-east-1", "s3");
        String signature = SigningKey.derive(key.secret(), scope)
                .sign("AWS4-HMAC-SHA256\n%s\n%s\n%s"
                        .formatted(date, scope, sha256(canonical.getBytes(StandardCharsets.UTF_8))));
        StringBuilder text =
                new StringBuilder("%s %s%s HTTP/1.1\r\n".formatted(method, path, query.isEmpty() ? "" : "?" + query));
        headers.forEach((name, value) -> text.append("%s: %s\r\n".formatted(name, value)));
        text.append("authorization: AWS4-HMAC-SHA256 Credential=%s/%s, SignedHeaders=%s, Signature=%s\r\n"
                .formatted(key.id(), scope, names, signature));
        if (!headers.containsKey("content-length")) {
            text.append("content-length: %d\r\n".formatted(body.length));
        }
        return text.toString();
    }

    /** Sends a request whose path and query are in their canonical form. */
    public Answer ask(String method, String path, String query, byte[] body, Map<String, String> headers)
            throws IOException {
        return send(
                gateway, head(method, path, query, Instant.now(), body, headers) + "Connection: close\r\n\r\n", body);
    }

    public Answer ask(String method, String path) throws IOException {
        return ask(method, path, "", new byte[0], Map.of());
    }

    /** Sends bytes; returns all that comes back. */
    public static Answer send(URI gateway, String head, byte[] body) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), gateway.getPort())) {
            socket.getOutputStream().write(head.getBytes(StandardCharsets.UTF_8));
            socket.getOutputStream().write(body);
            socket.getOutputStream().flush();
            return new Answer(new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    public static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException(e);
        }
    }
}
