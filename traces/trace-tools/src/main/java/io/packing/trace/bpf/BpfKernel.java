// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import com.sun.jna.LastErrorException;
import com.sun.jna.Library;
import com.sun.jna.Memory;
import com.sun.jna.Native;
import com.sun.jna.Pointer;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** The kernel's call {@code bpf}, and the mapping of memory that its rings need. */
final class BpfKernel {
    /** The kinds of maps, by their numbers in {@code linux/bpf.h}. */
    enum MapKind {
        HASH(1),
        ARRAY(2),
        ARRAY_OF_EACH_PROCESSOR(6),
        RING(27);

        private final int number;

        MapKind(int number) {
            this.number = number;
        }
    }

    /** The functions of the C library. */
    interface CLibrary extends Library {
        long syscall(long number, Object... arguments) throws LastErrorException;

        Pointer mmap(Pointer at, long length, int protection, int flags, int descriptor, long offset)
                throws LastErrorException;

        int munmap(Pointer at, long length) throws LastErrorException;

        int close(int descriptor) throws LastErrorException;
    }

    private static final long BPF = 321;
    private static final int MAP_CREATE = 0;
    private static final int MAP_LOOKUP = 1;
    private static final int MAP_UPDATE = 2;
    private static final int PROGRAM_LOAD = 5;
    private static final int OBJECT_INFO = 15;
    private static final int OPEN_TRACEPOINT = 17;
    private static final int RAW_TRACEPOINT = 17;
    private static final int ATTRIBUTES = 128;
    private static final int LOG = 1 << 20;
    private static final int NAME = 16;
    private static final int INFORMATION = 256;
    private static final int MISSES_AT = 208;
    private static final int READ = 1;
    private static final int READ_WRITE = 3;
    private static final int SHARED = 1;
    /** The kernel lends its functions for tracing only to programs that declare such a licence. */
    private static final String LICENSE = "Dual BSD/GPL";

    private final CLibrary library;

    private BpfKernel(CLibrary library) {
        this.library = library;
    }

    /**
     * Binds this process to the kernel.
     *
     * @throws IOException if this machine is not Linux on x86-64, whose registers the programs read
     */
    static BpfKernel bind() throws IOException {
        String machine = System.getProperty("os.name") + " " + System.getProperty("os.arch");
        if (!machine.toLowerCase(Locale.ROOT).matches("linux (amd64|x86_64)")) {
            throw new IOException("recording by BPF is for Linux on x86-64, and this is " + machine);
        }
        try {
            return new BpfKernel(Native.load("c", CLibrary.class));
        } catch (LinkageError e) {
            throw new IOException("this machine's C library cannot be bound: " + e.getMessage(), e);
        }
    }

    private static Memory zeros(int length) {
        Memory memory = new Memory(length);
        memory.clear();
        return memory;
    }

    private int call(int command, Memory attributes, String what) throws IOException {
        try {
            return (int) library.syscall(BPF, (long) command, attributes, attributes.size());
        } catch (LastErrorException e) {
            throw new IOException(
                    "the kernel refuses to %s: %s. Recording by BPF needs root, or CAP_BPF and CAP_PERFMON"
                            .formatted(what, e.getMessage()),
                    e);
        }
    }

    int map(MapKind kind, int keySize, int valueSize, int entries) throws IOException {
        Memory attributes = zeros(ATTRIBUTES);
        attributes.setInt(0, kind.number);
        attributes.setInt(4, keySize);
        attributes.setInt(8, valueSize);
        attributes.setInt(12, entries);
        return call(MAP_CREATE, attributes, "make a map of kind " + kind);
    }

    void put(int map, byte[] key, byte[] value) throws IOException {
        try (Memory keys = zeros(key.length);
                Memory values = zeros(value.length)) {
            keys.write(0, key, 0, key.length);
            values.write(0, value, 0, value.length);
            int unused = call(MAP_UPDATE, element(map, keys, values), "fill a map");
        }
    }

    /** Reads a number from an array. */
    long number(int map, int index) throws IOException {
        try (Memory keys = zeros(Integer.BYTES);
                Memory values = zeros(Long.BYTES)) {
            keys.setInt(0, index);
            int unused = call(MAP_LOOKUP, element(map, keys, values), "read a map");
            return values.getLong(0);
        }
    }

    private static Memory element(int map, Memory key, Memory value) {
        Memory attributes = zeros(ATTRIBUTES);
        attributes.setInt(0, map);
        attributes.setPointer(8, key);
        attributes.setPointer(16, value);
        return attributes;
    }

    /**
     * Loads a program.
     *
     * @throws IOException with the end of the kernel's log if the kernel refuses the program
     */
    int load(String name, byte[] instructions) throws IOException {
        try (Memory code = zeros(instructions.length);
                Memory license = zeros(NAME);
                Memory log = zeros(LOG)) {
            code.write(0, instructions, 0, instructions.length);
            license.setString(0, LICENSE);
            Memory attributes = zeros(ATTRIBUTES);
            attributes.setInt(0, RAW_TRACEPOINT);
            attributes.setInt(4, instructions.length / BpfCode.INSTRUCTION);
            attributes.setPointer(8, code);
            attributes.setPointer(16, license);
            try {
                return call(PROGRAM_LOAD, attributes, "load " + name);
            } catch (IOException refused) {
                attributes.setInt(24, 1);
                attributes.setInt(28, LOG);
                attributes.setPointer(32, log);
                try {
                    return call(PROGRAM_LOAD, attributes, "load " + name);
                } catch (IOException again) {
                    String text = log.getString(0);
                    String end = text.substring(Math.max(0, text.length() - 600));
                    throw new IOException(again.getMessage() + (end.isBlank() ? "" : ": " + end.strip()), refused);
                }
            }
        }
    }

    /** Attaches a program to a tracepoint, up to the close of the descriptor. */
    int attach(String tracepoint, int program) throws IOException {
        try (Memory name = zeros(tracepoint.length() + 1)) {
            name.setString(0, tracepoint);
            Memory attributes = zeros(ATTRIBUTES);
            attributes.setPointer(0, name);
            attributes.setInt(8, program);
            return call(OPEN_TRACEPOINT, attributes, "trace " + tracepoint);
        }
    }

    /** Counts the runs of a program that the kernel left out, since one was under way on their processor. */
    long misses(int program) throws IOException {
        try (Memory information = zeros(INFORMATION)) {
            Memory attributes = zeros(ATTRIBUTES);
            attributes.setInt(0, program);
            attributes.setInt(4, INFORMATION);
            attributes.setPointer(8, information);
            int unused = call(OBJECT_INFO, attributes, "tell about a program");
            return information.getLong(MISSES_AT);
        }
    }

    /** Maps memory of a ring; the memory stays until {@link #unmap}. */
    ByteBuffer mapMemory(int descriptor, long offset, long length, boolean writable) throws IOException {
        try {
            return library.mmap(Pointer.NULL, length, writable ? READ_WRITE : READ, SHARED, descriptor, offset)
                    .getByteBuffer(0, length);
        } catch (LastErrorException e) {
            throw new IOException("the kernel refuses to map a ring: " + e.getMessage(), e);
        }
    }

    void unmap(ByteBuffer memory) {
        int unused = library.munmap(Native.getDirectBufferPointer(memory), memory.capacity());
    }

    void close(int descriptor) {
        int unused = library.close(descriptor);
    }
}
