// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The kernel's own types, as it describes them in BTF (kernel documentation, "BPF Type Format"). */
final class KernelTypes {
    /** The place of the running kernel's description. */
    static final Path OF_KERNEL = Path.of("/sys/kernel/btf/vmlinux");

    // Header: 0:2 magic  2:3 version  3:4 flags  4:8 header length  8:12 types at  12:16 length  16:20 strings at
    private static final int MAGIC = 0xeb9f;
    private static final int HEADER_LENGTH_AT = 4;
    private static final int TYPES_AT = 8;
    private static final int TYPES_LENGTH_AT = 12;
    private static final int STRINGS_AT = 16;
    // Type: 0:4 name  4:8 kind in bits 24 to 28, members in bits 0 to 15, bit 31 a flag  8:12 size  12: members
    private static final int TYPE = 12;
    private static final int MEMBER = 12;
    private static final int MEMBER_OFFSET_AT = 8;
    private static final int BIT_OFFSET = 0xffffff;
    private static final int STRUCT = 4;

    private final ByteBuffer bytes;
    private final int strings;

    private KernelTypes(ByteBuffer bytes, int strings) {
        this.bytes = bytes;
        this.strings = strings;
    }

    /** Reads a description of types. */
    static KernelTypes read(Path file) throws IOException {
        ByteBuffer bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.nativeOrder());
        if (bytes.limit() < STRINGS_AT + Integer.BYTES || (bytes.getShort(0) & 0xffff) != MAGIC) {
            throw new IOException(file + " describes no types of a kernel");
        }
        return new KernelTypes(bytes, bytes.getInt(HEADER_LENGTH_AT) + bytes.getInt(STRINGS_AT));
    }

    /**
     * Finds the place of a member in a structure, in bytes from its beginning.
     *
     * @throws IOException if the kernel has no such member
     */
    int offset(String structure, String member) throws IOException {
        int at = bytes.getInt(HEADER_LENGTH_AT) + bytes.getInt(TYPES_AT);
        int end = at + bytes.getInt(TYPES_LENGTH_AT);
        while (at < end) {
            int info = bytes.getInt(at + 4);
            int kind = info >>> 24 & 31;
            int count = info & 0xffff;
            if (kind == STRUCT && isNamed(bytes.getInt(at), structure)) {
                for (int i = 0; i < count; i++) {
                    int entry = at + TYPE + i * MEMBER;
                    if (isNamed(bytes.getInt(entry), member)) {
                        int offset = bytes.getInt(entry + MEMBER_OFFSET_AT);
                        return (info < 0 ? offset & BIT_OFFSET : offset) / Byte.SIZE;
                    }
                }
            }
            at += TYPE + after(kind, count);
        }
        throw new IOException("this kernel has no member %s of %s".formatted(member, structure));
    }

    /** Returns the bytes behind the head of a type. */
    private static int after(int kind, int count) throws IOException {
        return switch (kind) {
            case 1, 14, 17 -> 4;
            case 2, 7, 8, 9, 10, 11, 12, 16, 18 -> 0;
            case 3 -> 12;
            case 4, 5, 15, 19 -> 12 * count;
            case 6, 13 -> 8 * count;
            default -> throw new IOException("this kernel describes its types in a newer way: kind " + kind);
        };
    }

    private boolean isNamed(int offset, String name) {
        byte[] wanted = name.getBytes(StandardCharsets.US_ASCII);
        for (int i = 0; i < wanted.length; i++) {
            if (bytes.get(strings + offset + i) != wanted[i]) {
                return false;
            }
        }
        return bytes.get(strings + offset + wanted.length) == 0;
    }
}
