// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The part of Hadoop's KMS that a client of encrypted keys meets over HTTP: one key, whose versions are made and
 * forgotten. It does not check identities. It gives away no version of the key, as a KMS whose clients may only
 * generate and decrypt.
 */
final class FakeKms implements AutoCloseable {
    private static final Base64.Encoder ENCODER = Base64.getUrlEncoder().withoutPadding();
    private static final int KEY_BYTES = 32;
    private static final int VECTOR_BYTES = 16;

    private final HttpServer server;
    private final String name;
    private final Random random;
    private final Map<String, byte[]> versions = new ConcurrentHashMap<>();
    private final AtomicInteger decrypted = new AtomicInteger();
    private volatile String newest = "";

    FakeKms(String name, Random random) throws IOException {
        this.name = name;
        this.random = random;
        roll();
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/kms/v1/", this::answer);
        server.start();
    }

    URI location() {
        return URI.create("kms://http@127.0.0.1:" + server.getAddress().getPort() + "/kms");
    }

    /** Returns the number of decrypted keys. */
    int decrypted() {
        return decrypted.get();
    }

    void roll() {
        byte[] key = new byte[KEY_BYTES];
        random.nextBytes(key);
        String version = name + "@" + versions.size();
        versions.put(version, key);
        newest = version;
    }

    void forget(String version) {
        versions.remove(version);
    }

    private void answer(HttpExchange exchange) throws IOException {
        String path = exchange.getRequestURI().getPath().substring("/kms/v1/".length());
        String query = String.valueOf(exchange.getRequestURI().getQuery());
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        if (exchange.getRequestMethod().equals("OPTIONS")) {
            send(exchange, 200, "{}");
        } else if (path.equals("key/" + name + "/_metadata")) {
            send(
                    exchange,
                    200,
                    "{\"name\":\"%s\",\"cipher\":\"AES/CTR/NoPadding\",\"length\":256,\"created\":1700000000000,\"versions\":%d}"
                            .formatted(name, versions.size()));
        } else if (path.endsWith("/_metadata")) {
            send(exchange, 200, "{}");
        } else if (path.equals("key/" + name + "/_eek") && query.contains("eek_op=generate")) {
            send(exchange, 200, generated(Integer.parseInt(field(query + "&", "num_keys=(\\d+)&"))));
        } else if (path.matches("keyversion/.*/_eek")) {
            decrypt(exchange, path.substring("keyversion/".length(), path.length() - "/_eek".length()), body);
        } else {
            send(exchange, 404, refusal("no such resource"));
        }
    }

    private String generated(int count) {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            byte[] key = new byte[KEY_BYTES];
            byte[] vector = new byte[VECTOR_BYTES];
            random.nextBytes(key);
            random.nextBytes(vector);
            all.add(
                    "{\"versionName\":\"%s\",\"iv\":\"%s\",\"encryptedKeyVersion\":{\"versionName\":\"EEK\",\"material\":\"%s\"}}"
                            .formatted(
                                    newest,
                                    ENCODER.encodeToString(vector),
                                    ENCODER.encodeToString(mixed(newest, vector, key))));
        }
        return "[" + String.join(",", all) + "]";
    }

    private void decrypt(HttpExchange exchange, String version, String body) throws IOException {
        if (!versions.containsKey(version)) {
            send(exchange, 404, refusal("KeyVersion name '%s' does not exist".formatted(version)));
            return;
        }
        decrypted.incrementAndGet();
        byte[] vector = bytes(field(body, "\"iv\"\\s*:\\s*\"([^\"]*)\""));
        byte[] material = bytes(field(body, "\"material\"\\s*:\\s*\"([^\"]*)\""));
        send(
                exchange,
                200,
                "{\"versionName\":\"EK\",\"material\":\"%s\"}"
                        .formatted(ENCODER.encodeToString(mixed(version, vector, material))));
    }

    /** Encrypts, and decrypts, well enough for a test. */
    private byte[] mixed(String version, byte[] vector, byte[] key) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            digest.update(versions.getOrDefault(version, new byte[0]));
            byte[] stream = digest.digest(vector);
            byte[] mixed = new byte[key.length];
            for (int i = 0; i < mixed.length; i++) {
                mixed[i] = (byte) (key[i] ^ stream[i % stream.length]);
            }
            return mixed;
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError(e);
        }
    }

    /** Clients send both alphabets. */
    private static byte[] bytes(String base64) {
        return Base64.getMimeDecoder().decode(base64.replace('-', '+').replace('_', '/'));
    }

    private static String field(String text, String pattern) {
        Matcher matcher = Pattern.compile(pattern).matcher(text);
        if (!matcher.find()) {
            throw new AssertionError(text);
        }
        return matcher.group(1);
    }

    private static String refusal(String message) {
        return "{\"RemoteException\":{\"message\":\"%s\",\"exception\":\"IOException\",\"javaClassName\":\"java.io.IOException\"}}"
                .formatted(message);
    }

    private static void send(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().add("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
        exchange.close();
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
