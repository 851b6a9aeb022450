// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * An assembler of BPF instructions (kernel documentation, "BPF instruction set"). Jumps go forward to labels. Methods
 * are named by their effect; sizes of memory are in bytes. Confined to one thread.
 */
final class BpfCode {
    /** The functions of the kernel that programs call, by their numbers in {@code linux/bpf.h}. */
    enum Helper {
        MAP_LOOKUP(1),
        MAP_UPDATE(2),
        MAP_DELETE(3),
        KTIME_GET_NS(5),
        GET_CURRENT_PID_TGID(14),
        PROBE_READ_USER(112),
        PROBE_READ_KERNEL(113),
        PROBE_READ_USER_STRING(114),
        RINGBUF_OUTPUT(130);

        private final int number;

        Helper(int number) {
            this.number = number;
        }
    }

    /** The comparisons of jumps, by their codes. */
    enum When {
        EQUAL(0x10),
        GREATER(0x20),
        NOT_EQUAL(0x50),
        SIGNED_AT_MOST(0xd0);

        private final int code;

        When(int code) {
            this.code = code;
        }
    }

    /** The arithmetic operations, by their codes. */
    enum Operation {
        ADD(0x00),
        AND(0x50),
        LEFT(0x60),
        RIGHT(0x70);

        private final int code;

        Operation(int code) {
            this.code = code;
        }
    }

    static final int INSTRUCTION = 8;

    private static final int MOST = 4096;
    private static final int LOAD = 0x61;
    private static final int STORE = 0x63;
    private static final int LOAD_DOUBLE_WORD = 0x79;
    private static final int STORE_DOUBLE_WORD = 0x7b;
    private static final int STORE_NUMBER = 0x62;
    private static final int STORE_LONG_NUMBER = 0x7a;
    private static final int LOAD_LONG_NUMBER = 0x18;
    private static final int MAP_DESCRIPTOR = 1;
    private static final int MOVE_REGISTER = 0xbf;
    private static final int MOVE_NUMBER = 0xb7;
    private static final int BY_NUMBER = 0x07;
    private static final int BY_REGISTER = 0x0f;
    private static final int JUMP_BY_NUMBER = 0x05;
    private static final int JUMP_IF_SAME = 0x1d;
    private static final int CALL = 0x85;
    private static final int EXIT = 0x95;
    private static final int ATOMIC_ADD = 0xdb;

    private final ByteBuffer code = ByteBuffer.allocate(MOST * INSTRUCTION).order(ByteOrder.nativeOrder());
    private final Map<String, Integer> labels = new HashMap<>();
    private final Map<Integer, String> jumps = new LinkedHashMap<>();

    private BpfCode emit(int operation, int to, int from, int offset, int number) {
        code.put((byte) operation).put((byte) (from << 4 | to)).putShort((short) offset);
        code.putInt(number);
        return this;
    }

    BpfCode load(int to, int from, int offset, int size) {
        return emit(size == Long.BYTES ? LOAD_DOUBLE_WORD : LOAD, to, from, offset, 0);
    }

    BpfCode store(int to, int offset, int from, int size) {
        return emit(size == Long.BYTES ? STORE_DOUBLE_WORD : STORE, to, from, offset, 0);
    }

    BpfCode storeNumber(int to, int offset, int number, int size) {
        return emit(size == Long.BYTES ? STORE_LONG_NUMBER : STORE_NUMBER, to, 0, offset, number);
    }

    BpfCode move(int to, int from) {
        return emit(MOVE_REGISTER, to, from, 0, 0);
    }

    BpfCode set(int to, int number) {
        return emit(MOVE_NUMBER, to, 0, 0, number);
    }

    BpfCode number(Operation operation, int to, int number) {
        return emit(operation.code | BY_NUMBER, to, 0, 0, number);
    }

    BpfCode add(int to, int from) {
        return emit(BY_REGISTER, to, from, 0, 0);
    }

    /** Adds a register to memory at once, also beside other processors. */
    BpfCode addAtomically(int to, int from) {
        return emit(ATOMIC_ADD, to, from, 0, 0);
    }

    /** Loads a reference to a map. */
    BpfCode map(int to, int descriptor) {
        return emit(LOAD_LONG_NUMBER, to, MAP_DESCRIPTOR, 0, descriptor).emit(0, 0, 0, 0, 0);
    }

    BpfCode call(Helper helper) {
        return emit(CALL, 0, 0, 0, helper.number);
    }

    BpfCode jump(When when, int register, int number, String label) {
        jumps.put(at(), label);
        return emit(when.code | JUMP_BY_NUMBER, register, 0, 0, number);
    }

    /** Jumps when two registers are equal. */
    BpfCode jumpIfSame(int register, int other, String label) {
        jumps.put(at(), label);
        return emit(JUMP_IF_SAME, register, other, 0, 0);
    }

    BpfCode jump(String label) {
        jumps.put(at(), label);
        return emit(JUMP_BY_NUMBER, 0, 0, 0, 0);
    }

    BpfCode label(String name) {
        if (labels.put(name, at()) != null) {
            throw new IllegalStateException("two labels " + name);
        }
        return this;
    }

    BpfCode exit() {
        return set(0, 0).emit(EXIT, 0, 0, 0, 0);
    }

    private int at() {
        return code.position() / INSTRUCTION;
    }

    /** Returns the instructions, with the jumps resolved. */
    byte[] bytes() {
        jumps.forEach((from, label) -> {
            Integer to = labels.get(label);
            if (to == null) {
                throw new IllegalStateException("no label " + label);
            }
            code.putShort(from * INSTRUCTION + 2, (short) (to - from - 1));
        });
        byte[] bytes = new byte[code.position()];
        code.get(0, bytes);
        return bytes;
    }
}
