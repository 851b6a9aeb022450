// SPDX-License-Identifier: Apache-2.0
package io.packing.blob;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** A server of ranges of golden blobs over HTTP on loopback; {@code /bucket/} needs AWS Signature Version 4. */
final class RangeServer implements AutoCloseable {
    static final String SECRET = "a/secret+key";

    private static final Pattern RANGE = Pattern.compile("bytes=([0-9]*)-([0-9]*)");
    private static final Pattern AUTHORIZATION =
            Pattern.compile("AWS4-HMAC-SHA256 Credential=key/([^,]+), SignedHeaders=([^,]+), Signature=([0-9a-f]{64})");

    private final HttpServer server;
    private final List<String> ranges = Collections.synchronizedList(new ArrayList<>());

    RangeServer() throws IOException {
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/open/", exchange -> answer(exchange, 206));
        server.createContext("/bucket/", exchange -> answer(exchange, isSigned(exchange) ? 206 : 403));
        server.start();
    }

    String url() {
        return "http://127.0.0.1:" + server.getAddress().getPort();
    }

    /** Returns the requested ranges so far. */
    List<String> ranges() {
        return List.copyOf(ranges);
    }

    private void answer(HttpExchange exchange, int status) throws IOException {
        String path = exchange.getRequestURI().getPath();
        String name = path.substring(path.lastIndexOf('/') + 1).replace(".blob", "");
        byte[] blob = GoldenBlobs.bytes(name);
        String range = exchange.getRequestHeaders().getFirst("Range");
        Matcher m = RANGE.matcher(range == null ? "" : range);
        if (status == 206 && m.matches()) {
            ranges.add(range);
            boolean tail = m.group(1).isEmpty();
            int from = tail ? Math.max(0, blob.length - Integer.parseInt(m.group(2))) : Integer.parseInt(m.group(1));
            int to = tail ? blob.length : Math.min(blob.length, Integer.parseInt(m.group(2)) + 1);
            exchange.getResponseHeaders().add("Content-Range", "bytes %d-%d/%d".formatted(from, to - 1, blob.length));
            exchange.sendResponseHeaders(206, to - from);
            exchange.getResponseBody().write(blob, from, to - from);
        } else {
            exchange.sendResponseHeaders(status == 206 ? 400 : status, -1);
        }
        exchange.close();
    }

    private static boolean isSigned(HttpExchange exchange) {
        String header = exchange.getRequestHeaders().getFirst("Authorization");
        Matcher m = AUTHORIZATION.matcher(header == null ? "" : header);
        if (!m.matches()) {
            return false;
        }
        StringBuilder request = new StringBuilder("GET\n")
                .append(exchange.getRequestURI().getRawPath())
                .append("\n\n");
        for (String name : m.group(2).split(";", -1)) {
            request.append(name)
                    .append(':')
                    .append(exchange.getRequestHeaders().getFirst(name))
                    .append('\n');
        }
        request.append('\n').append(m.group(2)).append('\n').append(sha256(""));
        String text = "AWS4-HMAC-SHA256\n%s\n%s\n%s"
                .formatted(exchange.getRequestHeaders().getFirst("x-amz-date"), m.group(1), sha256(request.toString()));
        byte[] key = ("AWS4" + SECRET).getBytes(StandardCharsets.UTF_8);
        for (String part : m.group(1).split("/", -1)) {
            key = hmac(key, part);
        }
        return HexFormat.of().formatHex(hmac(key, text)).equals(m.group(3));
    }

    private static byte[] hmac(byte[] key, String text) {
        try {
            Mac mac = Mac.getInstance("HmacSHA256");
            mac.init(new SecretKeySpec(key, "HmacSHA256"));
            return mac.doFinal(text.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    private static String sha256(String text) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new UncheckedIOException(new IOException(e));
        }
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
