// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.syscalls;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * The bytes that the kernel itself reads and counts to execute an ELF file of 64 bits: its first 256 bytes, its program
 * headers and the name of its interpreter. The kernel also reads the interpreter's header and program headers
 * (fs/binfmt_elf.c, {@code load_elf_binary}).
 */
final class ExecutedImage {
    private static final int FIRST_BYTES = 256;
    private static final int HEADER_BYTES = 64;
    private static final int TABLE_AT = 32;
    private static final int ENTRY_BYTES_AT = 54;
    private static final int ENTRIES_AT = 56;
    private static final int INTERPRETER = 3;

    private final ByteBuffer bytes;

    private ExecutedImage(Path file) throws IOException {
        bytes = ByteBuffer.wrap(Files.readAllBytes(file)).order(ByteOrder.LITTLE_ENDIAN);
        if (bytes.getInt(0) != 0x464c457f || bytes.get(4) != 2) {
            throw new IOException(file + " is no ELF file of 64 bits");
        }
    }

    /** Returns the bytes and the number of reads. */
    static List<Long> reads(Path program) throws IOException {
        ExecutedImage image = new ExecutedImage(program);
        long read = FIRST_BYTES + image.tableBytes();
        for (int i = 0; i < image.bytes.getShort(ENTRIES_AT); i++) {
            int at = Math.toIntExact(image.bytes.getLong(TABLE_AT)) + i * image.bytes.getShort(ENTRY_BYTES_AT);
            if (image.bytes.getInt(at) == INTERPRETER) {
                int length = Math.toIntExact(image.bytes.getLong(at + 32));
                byte[] name = new byte[length - 1];
                image.bytes.get(Math.toIntExact(image.bytes.getLong(at + 8)), name);
                Path interpreter = Path.of(new String(name, StandardCharsets.UTF_8));
                read += length + HEADER_BYTES + new ExecutedImage(interpreter).tableBytes();
                return List.of(read, 5L);
            }
        }
        return List.of(read, 2L);
    }

    private long tableBytes() {
        return (long) bytes.getShort(ENTRIES_AT) * bytes.getShort(ENTRY_BYTES_AT);
    }
}
