// SPDX-License-Identifier: Apache-2.0
package io.packing.trace.bpf;

import static io.packing.trace.bpf.KernelRecord.ARGUMENTS_AT;
import static io.packing.trace.bpf.KernelRecord.BEGIN_AT;
import static io.packing.trace.bpf.KernelRecord.CALL_LENGTH;
import static io.packing.trace.bpf.KernelRecord.END_AT;
import static io.packing.trace.bpf.KernelRecord.EVENT_LENGTH;
import static io.packing.trace.bpf.KernelRecord.FIRST_PATH_AT;
import static io.packing.trace.bpf.KernelRecord.HAS_NUMBER_AT;
import static io.packing.trace.bpf.KernelRecord.NUMBER_AT;
import static io.packing.trace.bpf.KernelRecord.PROCESS_AT;
import static io.packing.trace.bpf.KernelRecord.RESULT_AT;
import static io.packing.trace.bpf.KernelRecord.SECOND_NUMBER_AT;
import static io.packing.trace.bpf.KernelRecord.SECOND_PATH_AT;
import static io.packing.trace.bpf.KernelRecord.STRUCTURE_AT;
import static io.packing.trace.bpf.KernelRecord.THREAD_AT;

import io.packing.trace.bpf.BpfCode.Helper;
import io.packing.trace.bpf.BpfCode.Operation;
import io.packing.trace.bpf.BpfCode.When;

/**
 * The programs of the kernel's tracepoints. Each leaves at once when the thread is not one of those that are followed.
 *
 * @param threads a map from a followed thread to its {@link #STATE}
 * @param plans an array of {@link CallPlan#word} by the number of a call
 * @param scratch memory of each processor for a record of a call
 * @param counts an array of the counts of what was lost
 * @param ring receives the records
 */
record TracePrograms(int threads, int plans, int scratch, int counts, int ring) {
    /** The state of a thread: 0:8 begin of its call  8:16 that call's number plus 1  16:24 flags  24:32 fault's address. */
    static final int STATE = 32;
    /** The numbers of the counts. */
    static final int LOST_RECORDS = 0;

    static final int LOST_THREADS = 1;
    static final int COUNTS = 2;

    static final int LONGEST_PATH = 4096;
    static final int MOST_BUFFERS = 64;
    private static final int BUFFER_BITS = 4;
    static final int SCRATCH = CALL_LENGTH + 2 * LONGEST_PATH + (MOST_BUFFERS << BUFFER_BITS);

    private static final int CALL_NUMBER_AT = 8;
    private static final int FLAGS_AT = 16;
    private static final int ADDRESS_AT = 24;

    // Registers of x86-64 as the kernel saves them (struct pt_regs): r10 at 56, r9, r8, ax, cx, dx, si, di, orig_ax.
    private static final int REGISTERS_FROM = 56;
    private static final int REGISTERS = 72;
    private static final int FIRST_REGISTER = 56;
    private static final int CALL_REGISTER = 64;
    private static final int[] ARGUMENT_REGISTERS = {56, 48, 40, 0, 16, 8};

    // The stack of a program.
    private static final int KEY = -4;
    private static final int OTHER_KEY = -8;
    private static final int LENGTH = -16;
    private static final int SAVED = -96;
    private static final int EVENT = -96 - EVENT_LENGTH;
    private static final int NEW_STATE = EVENT - STATE;
    private static final int STACK = 10;

    private static final int WORD = Integer.BYTES;
    private static final int LONG = Long.BYTES;
    private static final int NO_WAKEUP = 1;

    /** Begins a program: the context in register 6, thread and process in 9, the thread's state in 7. */
    private BpfCode begin() {
        BpfCode code = new BpfCode()
                .move(6, 1)
                .call(Helper.GET_CURRENT_PID_TGID)
                .move(9, 0)
                .store(STACK, KEY, 9, WORD);
        return lookUp(code, threads, KEY).move(7, 0);
    }

    /** Looks a word of the stack up in a map, into register 0. The program ends if it is not there. */
    private static BpfCode lookUp(BpfCode code, int map, int key) {
        return code.map(1, map)
                .move(2, STACK)
                .number(Operation.ADD, 2, key)
                .call(Helper.MAP_LOOKUP)
                .jump(When.EQUAL, 0, 0, "end");
    }

    private static byte[] end(BpfCode code) {
        code.label("end").exit();
        return code.bytes();
    }

    private BpfCode count(BpfCode code, int number) {
        code.storeNumber(STACK, OTHER_KEY, number, WORD);
        return lookUp(code, counts, OTHER_KEY).set(1, 1).addAtomically(0, 1);
    }

    /** Gives the bytes at register 2, whose length is register 3, to the ring, and ends. */
    private byte[] give(BpfCode code) {
        code.map(1, ring).set(4, NO_WAKEUP).call(Helper.RINGBUF_OUTPUT).jump(When.EQUAL, 0, 0, "end");
        return end(count(code, LOST_RECORDS));
    }

    /** Begins the record of an event on the stack. */
    private static BpfCode event(BpfCode code, KernelRecord.Kind kind) {
        code.storeNumber(STACK, EVENT, kind.number(), WORD)
                .store(STACK, EVENT + THREAD_AT, 9, WORD)
                .move(1, 9)
                .number(Operation.RIGHT, 1, Integer.SIZE)
                .store(STACK, EVENT + PROCESS_AT, 1, WORD)
                .load(1, 7, CALL_NUMBER_AT, LONG)
                .store(STACK, EVENT + NUMBER_AT, 1, WORD)
                .call(Helper.KTIME_GET_NS)
                .store(STACK, EVENT + BEGIN_AT, 0, LONG);
        for (int i = 0; i < 3; i++) {
            code.storeNumber(STACK, EVENT + END_AT + i * LONG, 0, LONG);
        }
        return code;
    }

    private static BpfCode value(BpfCode code, int at, int register) {
        return code.store(STACK, EVENT + END_AT + at * LONG, register, LONG);
    }

    private byte[] giveEvent(BpfCode code) {
        return give(code.move(2, STACK).number(Operation.ADD, 2, EVENT).set(3, EVENT_LENGTH));
    }

    /** Returns the program of {@code sys_enter}. */
    byte[] enter() {
        BpfCode code = begin().load(1, 6, LONG, LONG).store(STACK, OTHER_KEY, 1, WORD);
        lookUp(code, plans, OTHER_KEY)
                .load(8, 0, 0, LONG)
                .jump(When.EQUAL, 8, 0, "end")
                .call(Helper.KTIME_GET_NS)
                .store(7, 0, 0, LONG)
                .load(1, 6, LONG, LONG)
                .number(Operation.ADD, 1, 1)
                .store(7, CALL_NUMBER_AT, 1, LONG)
                .move(1, 8)
                .number(Operation.RIGHT, 1, CallPlan.BEGIN_BIT)
                .number(Operation.AND, 1, 7)
                .jump(When.EQUAL, 1, 0, "end");
        registers(code)
                .move(1, 8)
                .number(Operation.RIGHT, 1, CallPlan.FLAGS_BIT)
                .number(Operation.AND, 1, CallPlan.FLAGS_MASK)
                .jump(When.EQUAL, 1, 0, "begins")
                .load(3, STACK, SAVED + FIRST_REGISTER, LONG)
                .store(7, FLAGS_AT, 3, LONG)
                .jump(When.NOT_EQUAL, 1, 2, "end")
                .move(1, 7)
                .number(Operation.ADD, 1, FLAGS_AT)
                .set(2, LONG)
                .call(Helper.PROBE_READ_USER)
                .jump("end")
                .label("begins");
        return call(code, KernelRecord.Kind.BEGIN);
    }

    /** Returns the program of {@code sys_exit}. */
    byte[] exit() {
        BpfCode code =
                registers(begin()).load(1, STACK, SAVED + CALL_REGISTER, LONG).store(STACK, OTHER_KEY, 1, WORD);
        lookUp(code, plans, OTHER_KEY).load(8, 0, 0, LONG).jump(When.EQUAL, 8, 0, "end");
        return call(code, KernelRecord.Kind.CALL);
    }

    /** Copies the registers of the call to the stack. */
    private static BpfCode registers(BpfCode code) {
        return code.move(1, STACK)
                .number(Operation.ADD, 1, SAVED)
                .set(2, REGISTERS)
                .load(3, 6, 0, LONG)
                .number(Operation.ADD, 3, REGISTERS_FROM)
                .call(Helper.PROBE_READ_KERNEL);
    }

    /** Records a call and ends the program. The registers are on the stack, the plan is in register 8. */
    private byte[] call(BpfCode code, KernelRecord.Kind kind) {
        code.storeNumber(STACK, KEY, 0, WORD);
        lookUp(code, scratch, KEY).load(3, 6, LONG, LONG).move(6, 0);
        code.storeNumber(6, 0, kind.number(), WORD)
                .store(6, THREAD_AT, 9, WORD)
                .number(Operation.RIGHT, 9, Integer.SIZE)
                .store(6, PROCESS_AT, 9, WORD)
                .load(1, STACK, OTHER_KEY, WORD)
                .store(6, NUMBER_AT, 1, WORD)
                .load(1, 7, 0, LONG)
                .store(6, BEGIN_AT, 1, LONG)
                .store(6, RESULT_AT, 3, LONG);
        for (int i = 0; i < ARGUMENT_REGISTERS.length; i++) {
            code.load(1, STACK, SAVED + ARGUMENT_REGISTERS[i], LONG).store(6, ARGUMENTS_AT + i * LONG, 1, LONG);
        }
        if (kind == KernelRecord.Kind.CALL) {
            code.storeNumber(7, CALL_NUMBER_AT, 0, LONG);
        }
        code.call(Helper.KTIME_GET_NS)
                .store(6, END_AT, 0, LONG)
                .storeNumber(6, FIRST_PATH_AT, 0, LONG)
                .storeNumber(6, STRUCTURE_AT, 0, LONG)
                .storeNumber(6, SECOND_NUMBER_AT, 0, LONG)
                .set(9, 0);
        path(code, CallPlan.FIRST_PATH_BIT, FIRST_PATH_AT);
        path(code, CallPlan.SECOND_PATH_BIT, SECOND_PATH_AT);
        structure(code);
        secondNumber(code);
        return give(code.move(2, 6).move(3, 9).number(Operation.ADD, 3, CALL_LENGTH));
    }

    /** Loads the argument that the plan names at {@code bit} into register 3, or jumps. Register 1 becomes its place. */
    private static BpfCode argument(BpfCode code, int bit, String none) {
        return code.move(1, 8)
                .number(Operation.RIGHT, 1, bit)
                .number(Operation.AND, 1, CallPlan.ARGUMENT_MASK)
                .jump(When.EQUAL, 1, 0, none)
                .number(Operation.LEFT, 1, 3)
                .add(1, 6)
                .load(3, 1, ARGUMENTS_AT - LONG, LONG);
    }

    /** Makes register 1 the end of the record so far. */
    private static BpfCode behind(BpfCode code) {
        return code.move(1, 6).add(1, 9).number(Operation.ADD, 1, CALL_LENGTH);
    }

    private static void path(BpfCode code, int bit, int lengthAt) {
        String end = "path" + lengthAt;
        behind(argument(code, bit, end))
                .set(2, LONGEST_PATH)
                .call(Helper.PROBE_READ_USER_STRING)
                .store(6, lengthAt, 0, WORD)
                .jump(When.SIGNED_AT_MOST, 0, 0, end)
                .jump(When.GREATER, 0, LONGEST_PATH, end)
                .add(9, 0)
                .label(end);
    }

    private static void structure(BpfCode code) {
        argument(code, CallPlan.STRUCTURE_BIT, "number")
                .move(2, 8)
                .number(Operation.RIGHT, 2, CallPlan.BUFFERS_BIT)
                .number(Operation.AND, 2, 1)
                .jump(When.EQUAL, 2, 0, "fixed")
                .load(2, 1, ARGUMENTS_AT, LONG)
                .jump(When.GREATER, 2, MOST_BUFFERS, "number")
                .number(Operation.LEFT, 2, BUFFER_BITS)
                .jump("copy")
                .label("fixed")
                .move(2, 8)
                .number(Operation.RIGHT, 2, CallPlan.SIZE_BIT)
                .number(Operation.AND, 2, CallPlan.SIZE_MASK)
                .label("copy")
                .store(STACK, LENGTH, 2, LONG);
        behind(code)
                .call(Helper.PROBE_READ_USER)
                .jump(When.NOT_EQUAL, 0, 0, "number")
                .load(1, STACK, LENGTH, LONG)
                .store(6, STRUCTURE_AT, 1, WORD)
                .add(9, 1)
                .label("number");
    }

    private static void secondNumber(BpfCode code) {
        argument(code, CallPlan.SECOND_NUMBER_BIT, "whole")
                .move(1, 6)
                .number(Operation.ADD, 1, SECOND_NUMBER_AT)
                .set(2, LONG)
                .call(Helper.PROBE_READ_USER)
                .jump(When.NOT_EQUAL, 0, 0, "whole")
                .storeNumber(6, HAS_NUMBER_AT, 1, WORD)
                .label("whole");
    }

    /**
     * Returns the program of {@code sched_process_fork}, which follows the child of a followed thread.
     *
     * @param pidAt place of a thread's id in the kernel's {@code task_struct}
     */
    byte[] fork(int pidAt) {
        BpfCode code = begin().storeNumber(STACK, OTHER_KEY, 0, WORD)
                .move(1, STACK)
                .number(Operation.ADD, 1, OTHER_KEY)
                .set(2, WORD)
                .load(3, 6, LONG, LONG)
                .number(Operation.ADD, 3, pidAt)
                .call(Helper.PROBE_READ_KERNEL);
        for (int at = 0; at < STATE; at += LONG) {
            code.storeNumber(STACK, NEW_STATE + at, 0, LONG);
        }
        follow(code, NEW_STATE).jump(When.EQUAL, 0, 0, "followed");
        count(code, LOST_THREADS).jump("end").label("followed");
        event(code, KernelRecord.Kind.FORK);
        value(code.load(1, STACK, OTHER_KEY, WORD), 0, 1);
        value(code.load(1, 7, FLAGS_AT, LONG), 1, 1);
        return giveEvent(code);
    }

    /** Follows the thread whose id is at {@code OTHER_KEY}, with a state on the stack. */
    private BpfCode follow(BpfCode code, int state) {
        return code.map(1, threads)
                .move(2, STACK)
                .number(Operation.ADD, 2, OTHER_KEY)
                .move(3, STACK)
                .number(Operation.ADD, 3, state)
                .set(4, 0)
                .call(Helper.MAP_UPDATE);
    }

    /** Returns the program of {@code sched_process_exec}, which renames a thread that took over its process. */
    byte[] execute() {
        BpfCode code = new BpfCode()
                .move(6, 1)
                .call(Helper.GET_CURRENT_PID_TGID)
                .move(9, 0)
                .store(STACK, OTHER_KEY, 9, WORD)
                .load(8, 6, LONG, LONG)
                .store(STACK, KEY, 8, WORD)
                .load(1, STACK, OTHER_KEY, WORD)
                .load(2, STACK, KEY, WORD)
                // The ids are equal unless another thread than the leader made the call.
                .jumpIfSame(1, 2, "end");
        lookUp(code, threads, KEY).move(7, 0);
        for (int at = 0; at < STATE; at += LONG) {
            code.load(1, 7, at, LONG).store(STACK, NEW_STATE + at, 1, LONG);
        }
        event(code, KernelRecord.Kind.EXECUTE);
        value(code.load(1, STACK, KEY, WORD), 0, 1);
        follow(code, NEW_STATE)
                .map(1, threads)
                .move(2, STACK)
                .number(Operation.ADD, 2, KEY)
                .call(Helper.MAP_DELETE);
        return giveEvent(code);
    }

    /** Returns the program of {@code sched_process_exit}. */
    byte[] leave() {
        BpfCode code = event(begin(), KernelRecord.Kind.EXIT)
                .map(1, threads)
                .move(2, STACK)
                .number(Operation.ADD, 2, KEY)
                .call(Helper.MAP_DELETE);
        return giveEvent(code);
    }

    /** Returns the program of page faults, which keeps the address for the two of mapped files. */
    byte[] fault() {
        return end(begin().load(1, 6, 0, LONG).store(7, ADDRESS_AT, 1, LONG));
    }

    /** Returns the program of pages that a fault maps: the second argument is the first page, the last one the last. */
    byte[] paged(boolean several) {
        BpfCode code = event(begin(), KernelRecord.Kind.FAULT);
        value(code.load(1, 7, ADDRESS_AT, LONG), 0, 1);
        value(code.load(1, 6, LONG, LONG), 1, 1);
        value(code.load(1, 6, several ? 2 * LONG : LONG, LONG), 2, 1);
        return giveEvent(code);
    }
}
