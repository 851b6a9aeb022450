// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.objects;

import io.packing.s3gateway.auth.SigningKey;
import java.io.BufferedInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Clock;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.HexFormat;
import java.util.Locale;

/**
 * A client of small objects on one connection. It does as little as the protocol allows, so that it takes the processors from no server: AWS's
 * own client takes more time for a request than a server. Confined to one thread.
 */
final class SmallObjects implements AutoCloseable {
    private static final DateTimeFormatter TIME =
            DateTimeFormatter.ofPattern("yyyyMMdd'T'HHmmss'Z'", Locale.ROOT).withZone(ZoneOffset.UTC);

    private static final String NAMES = "host;x-amz-content-sha256;x-amz-date";
    private static final String UNSIGNED = "UNSIGNED-PAYLOAD";
    private static final String REGION = "us-east-1";

    private final Socket socket;
    private final InputStream in;
    private final OutputStream out;
    private final String host;
    private final String key;
    private final String secret;
    private final Clock clock;
    private final SigningKey signing;

    SmallObjects(URI server, String key, String secret, Clock clock) throws IOException {
        this.socket = new Socket(InetAddress.getLoopbackAddress(), server.getPort());
        socket.setTcpNoDelay(true);
        this.in = new BufferedInputStream(socket.getInputStream(), 64 << 10);
        this.out = socket.getOutputStream();
        this.host = "%s:%d".formatted(server.getHost(), server.getPort());
        this.key = key;
        this.secret = secret;
        this.clock = clock;
        this.signing = derive(TIME.format(clock.instant()));
    }

    private SigningKey derive(String time) {
        return SigningKey.derive(secret, new SigningKey.Scope(time.substring(0, 8), REGION, "s3"));
    }

    /** Writes an object, or makes a bucket. */
    void put(String path, byte[] bytes) throws IOException {
        byte[] unused = ask("PUT", path, bytes);
    }

    byte[] get(String path) throws IOException {
        return ask("GET", path, new byte[0]);
    }

    private byte[] ask(String method, String path, byte[] body) throws IOException {
        String time = TIME.format(clock.instant());
        String scope = "%s/%s/s3/aws4_request".formatted(time.substring(0, 8), REGION);
        String canonical = method + "\n" + path + "\n\nhost:" + host + "\nx-amz-content-sha256:" + UNSIGNED
                + "\nx-amz-date:" + time + "\n\n" + NAMES + "\n" + UNSIGNED;
        String signature = signing.sign("AWS4-HMAC-SHA256\n" + time + "\n" + scope + "\n" + sha256(canonical));
        String head = method + " " + path + " HTTP/1.1\r\nhost: " + host + "\r\nx-amz-content-sha256: " + UNSIGNED
                + "\r\nx-amz-date: " + time + "\r\nauthorization: AWS4-HMAC-SHA256 Credential=" + key + "/" + scope
                + ", SignedHeaders=" + NAMES + ", Signature=" + signature + "\r\ncontent-length: " + body.length
                + "\r\n\r\n";
        byte[] text = head.getBytes(StandardCharsets.US_ASCII);
        byte[] all = new byte[text.length + body.length];
        System.arraycopy(text, 0, all, 0, text.length);
        System.arraycopy(body, 0, all, text.length, body.length);
        out.write(all);
        return answer(method + " " + path);
    }

    private byte[] answer(String what) throws IOException {
        String status = line();
        long length = 0;
        boolean isChunked = false;
        for (String line = line(); !line.isEmpty(); line = line()) {
            String lower = line.toLowerCase(Locale.ROOT);
            if (lower.startsWith("content-length:")) {
                length = Long.parseLong(lower.substring(15).strip());
            }
            isChunked |= lower.startsWith("transfer-encoding:") && lower.contains("chunked");
        }
        if (isChunked) {
            throw new IOException("%s: %s with chunks".formatted(what, status));
        }
        byte[] body = in.readNBytes((int) length);
        if (body.length < length || !status.startsWith("HTTP/1.1 2")) {
            throw new IOException("%s: %s %s".formatted(what, status, new String(body, StandardCharsets.UTF_8)));
        }
        return body;
    }

    private String line() throws IOException {
        StringBuilder line = new StringBuilder(64);
        for (int c = in.read(); c != '\n'; c = in.read()) {
            if (c < 0) {
                throw new EOFException("the server ended the connection");
            }
            if (c != '\r') {
                line.append((char) c);
            }
        }
        return line.toString();
    }

    private static String sha256(String text) {
        try {
            return HexFormat.of()
                    .formatHex(MessageDigest.getInstance("SHA-256").digest(text.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java runtime has SHA-256", e);
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
