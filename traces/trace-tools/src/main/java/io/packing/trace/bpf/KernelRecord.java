// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A record of the kernel's programs about one thread, as bytes in the machine's order.
 *
 * @param kind of the event
 * @param thread that it happened to
 * @param process of the thread
 * @param number of the call
 * @param at begin of the call, or time of the event
 * @param body the whole record
 */
public record KernelRecord(Kind kind, int thread, int process, int number, long at, ByteBuffer body) {
    /** The kinds of records, by the numbers in them. */
    public enum Kind {
        /** A call that returned. */
        CALL(1),
        /** A call that began. */
        BEGIN(2),
        /** A thread made another one: its id, and the flags of the call. */
        FORK(3),
        /** A thread became another program, and took the id of its process: its id before. */
        EXECUTE(4),
        /** A thread ended. */
        EXIT(5),
        /** A page fault of a mapped file: the address, the first page in the file, and the last. */
        FAULT(6);

        private final int number;

        Kind(int number) {
            this.number = number;
        }

        int number() {
            return number;
        }

        /** Returns whether a record of this kind has arguments, paths and structures. */
        private boolean isOfCall() {
            return this == CALL || this == BEGIN;
        }

        private static Optional<Kind> of(int number) {
            return Stream.of(values()).filter(kind -> kind.number == number).findFirst();
        }
    }

    static final int CALL_LENGTH = 128;
    static final int EVENT_LENGTH = 48;

    // 0:4 kind  4:8 thread  8:12 process  12:16 number of the call, or of the one under way plus 1  16:24 begin or time
    static final int THREAD_AT = 4;
    static final int PROCESS_AT = 8;
    static final int NUMBER_AT = 12;
    static final int BEGIN_AT = 16;

    // A call: 24:32 end  32:40 result  40:88 arguments. Any other record: three numbers from 24 to 48.
    static final int END_AT = 24;
    static final int RESULT_AT = 32;
    static final int ARGUMENTS_AT = 40;

    // Lengths: 104:108 first path  108:112 second path  112:116 structure
    static final int FIRST_PATH_AT = 104;
    static final int SECOND_PATH_AT = 108;
    static final int STRUCTURE_AT = 112;

    // 116:120 has a second number  120:128 that number  128: paths, structure
    static final int HAS_NUMBER_AT = 116;
    static final int SECOND_NUMBER_AT = 120;

    /** Parses a record; empty if it cannot be one. */
    static Optional<KernelRecord> of(ByteBuffer body) {
        if (body.limit() < EVENT_LENGTH) {
            return Optional.empty();
        }
        return Kind.of(body.getInt(0))
                .filter(kind -> !kind.isOfCall() || isWhole(body))
                .map(kind -> new KernelRecord(
                        kind,
                        body.getInt(THREAD_AT),
                        body.getInt(PROCESS_AT),
                        body.getInt(NUMBER_AT),
                        body.getLong(BEGIN_AT),
                        body));
    }

    private static boolean isWhole(ByteBuffer body) {
        return body.limit() >= CALL_LENGTH
                && body.limit()
                        >= CALL_LENGTH
                                + length(body, FIRST_PATH_AT)
                                + length(body, SECOND_PATH_AT)
                                + length(body, STRUCTURE_AT);
    }

    private static int length(ByteBuffer body, int at) {
        return Math.max(0, body.getInt(at));
    }

    /** Returns the end of a call. */
    public long end() {
        return body.getLong(END_AT);
    }

    /** Returns the result of a call. */
    public long result() {
        return body.getLong(RESULT_AT);
    }

    /** Returns an argument of a call, which may be an address. */
    public long argument(int at) {
        return body.getLong(ARGUMENTS_AT + at * Long.BYTES);
    }

    /** Returns a number of an event that is no call. */
    public long value(int at) {
        return body.getLong(END_AT + at * Long.BYTES);
    }

    /** Returns the first path as ISO 8859-1, so that a character is a byte; empty if the program could not read it. */
    public Optional<String> firstPath() {
        return path(CALL_LENGTH, body.getInt(FIRST_PATH_AT));
    }

    /** Returns the second path. */
    public Optional<String> secondPath() {
        return path(CALL_LENGTH + length(body, FIRST_PATH_AT), body.getInt(SECOND_PATH_AT));
    }

    private Optional<String> path(int from, int length) {
        if (length <= 0) {
            return Optional.empty();
        }
        byte[] bytes = new byte[length - 1];
        body.get(from, bytes);
        return Optional.of(new String(bytes, StandardCharsets.ISO_8859_1));
    }

    /** Returns the structure or array that an argument points to; empty if there is none, or it could not be read. */
    public Optional<ByteBuffer> structure() {
        int length = body.getInt(STRUCTURE_AT);
        int from = CALL_LENGTH + length(body, FIRST_PATH_AT) + length(body, SECOND_PATH_AT);
        return length <= 0
                ? Optional.empty()
                : Optional.of(body.slice(from, length).order(body.order()));
    }

    /** Returns the number behind a second pointer. */
    public Optional<Long> secondNumber() {
        return body.getInt(HAS_NUMBER_AT) == 0 ? Optional.empty() : Optional.of(body.getLong(SECOND_NUMBER_AT));
    }
}
