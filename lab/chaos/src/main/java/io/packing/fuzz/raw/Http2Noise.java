// SPDX-License-Identifier: Apache-2.0
package io.packing.fuzz.raw;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Frames of HTTP/2 (RFC 9113): calls of gRPC that begin and do not go on, floods that a server must answer, and fields
 * with values that no client sends.
 */
public final class Http2Noise implements Noise {
    private static final byte[] PREFACE = "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RST_STREAM = 3;
    private static final int SETTINGS = 4;
    private static final int PING = 6;
    private static final int WINDOW_UPDATE = 8;
    private static final int CONTINUATION = 9;
    private static final int KINDS = 12;
    private static final int END_STREAM = 0x1;
    private static final int END_HEADERS = 0x4;
    private static final int FLOOD = 400;
    private static final int FRAME_HEADER = 9;

    private final List<String> paths;

    /**
     * Makes noise for a server.
     *
     * @param paths of methods, such as {@code /packing.bdt.v1.Bdt/Stat}
     */
    public Http2Noise(List<String> paths) {
        this.paths = List.copyOf(paths);
    }

    @Override
    public byte[] bytes(RandomGenerator random) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(PREFACE);
        all.writeBytes(frame(SETTINGS, 0, 0, settings(random)));
        int stream = 1;
        for (int i = random.nextInt(1, 30); i > 0 && all.size() < MOST_BYTES; i--) {
            switch (random.nextInt(10)) {
                case 0 -> flood(all, stream, random);
                case 1 -> all.writeBytes(anything(stream, random));
                default -> {
                    call(all, stream, random);
                    stream += 2;
                }
            }
        }
        return Noise.damaged(all.toByteArray(), random);
    }

    private void call(ByteArrayOutputStream all, int stream, RandomGenerator random) {
        byte[] block = block(random);
        if (random.nextInt(8) == 0) {
            // The headers go on for long.
            all.writeBytes(frame(HEADERS, 0, stream, block));
            for (int i = random.nextInt(FLOOD); i > 0; i--) {
                all.writeBytes(frame(CONTINUATION, 0, stream, header("x", "y".repeat(random.nextInt(100)))));
            }
            return;
        }
        int end = random.nextInt(6) == 0 ? END_STREAM : 0;
        all.writeBytes(frame(HEADERS, END_HEADERS | end, stream, block));
        for (int i = random.nextInt(4); i > 0; i--) {
            all.writeBytes(frame(DATA, random.nextInt(2) * END_STREAM, stream, message(random)));
        }
        if (random.nextInt(3) == 0) {
            all.writeBytes(frame(RST_STREAM, 0, stream, number(random.nextInt(16))));
        }
    }

    /** Makes a message of gRPC; a third of them have a wrong length. */
    private static byte[] message(RandomGenerator random) {
        byte[] body = new byte[random.nextInt(10) == 0 ? random.nextInt(16 << 10) : random.nextInt(200)];
        random.nextBytes(body);
        int length = random.nextInt(3) == 0 ? random.nextInt() : body.length;
        return ByteBuffer.allocate(5 + body.length)
                .put((byte) (random.nextInt(8) == 0 ? random.nextInt(256) : 0))
                .putInt(length)
                .put(body)
                .array();
    }

    private static void flood(ByteArrayOutputStream all, int stream, RandomGenerator random) {
        byte[] frame = switch (random.nextInt(5)) {
            case 0 -> frame(PING, 0, 0, new byte[8]);
            case 1 -> frame(SETTINGS, 0, 0, settings(random));
            case 2 -> frame(WINDOW_UPDATE, 0, random.nextInt(stream + 1), number(random.nextInt()));
            case 3 -> frame(RST_STREAM, 0, stream, number(random.nextInt(16)));
            default -> frame(DATA, 0, stream, new byte[0]);
        };
        for (int i = random.nextInt(FLOOD); i > 0; i--) {
            all.writeBytes(frame);
        }
    }

    private static byte[] anything(int stream, RandomGenerator random) {
        byte[] payload = new byte[random.nextInt(100)];
        random.nextBytes(payload);
        int on = random.nextInt(3) == 0 ? random.nextInt() : random.nextInt(stream + 1);
        byte[] frame = frame(random.nextInt(KINDS), random.nextInt(256), on, payload);
        if (random.nextInt(4) == 0) {
            // The length may be the longest of three bytes.
            frame[random.nextInt(3)] = (byte) random.nextInt(256);
        }
        return frame;
    }

    private static byte[] settings(RandomGenerator random) {
        ByteBuffer settings = ByteBuffer.allocate(6 * random.nextInt(4));
        while (settings.hasRemaining()) {
            settings.putShort((short) random.nextInt(9)).putInt(random.nextInt(3) == 0 ? random.nextInt() : 65_535);
        }
        return settings.array();
    }

    /** Makes the headers of a call, each without an index (RFC 7541, 6.2.2). */
    private byte[] block(RandomGenerator random) {
        ByteArrayOutputStream block = new ByteArrayOutputStream();
        block.writeBytes(header(":method", random.nextInt(10) == 0 ? "GET" : "POST"));
        block.writeBytes(header(":scheme", "http"));
        block.writeBytes(header(":path", paths.get(random.nextInt(paths.size()))));
        block.writeBytes(header(":authority", "localhost"));
        block.writeBytes(header("content-type", random.nextInt(10) == 0 ? "text/plain" : "application/grpc"));
        block.writeBytes(header("te", "trailers"));
        switch (random.nextInt(8)) {
            case 0 -> block.writeBytes(header("grpc-timeout", random.nextInt(1_000) + "m"));
            case 1 -> block.writeBytes(header("grpc-encoding", "gzip"));
            case 2 -> block.writeBytes(header("authorization", "Bearer " + "a".repeat(random.nextInt(9_000))));
            case 3 -> block.writeBytes(header("x-" + random.nextInt(), "v".repeat(random.nextInt(9_000))));
            case 4 -> block.writeBytes(header("traceparent", "00-" + "z".repeat(random.nextInt(60))));
            default -> {
                // The call has no further header.
            }
        }
        return Noise.damaged(block.toByteArray(), random);
    }

    private static byte[] header(String name, String value) {
        ByteArrayOutputStream header = new ByteArrayOutputStream();
        header.write(0);
        text(header, name);
        text(header, value);
        return header.toByteArray();
    }

    private static void text(ByteArrayOutputStream to, String text) {
        // An integer with a prefix of seven bits (RFC 7541, 5.1).
        int length = text.length();
        if (length < 127) {
            to.write(length);
        } else {
            to.write(127);
            int rest = length - 127;
            while (rest >= 128) {
                to.write(rest % 128 + 128);
                rest /= 128;
            }
            to.write(rest);
        }
        to.writeBytes(text.getBytes(StandardCharsets.ISO_8859_1));
    }

    private static byte[] number(int number) {
        return ByteBuffer.allocate(4).putInt(number).array();
    }

    private static byte[] frame(int kind, int flags, int stream, byte[] payload) {
        return ByteBuffer.allocate(FRAME_HEADER + payload.length)
                .put((byte) (payload.length >> 16))
                .putShort((short) payload.length)
                .put((byte) kind)
                .put((byte) flags)
                .putInt(stream)
                .put(payload)
                .array();
    }
}
