// SPDX-License-Identifier: Apache-2.0
package io.packing.simulation.schedule;

/**
 * An operation of a client on a register, in the record of a schedule.
 *
 * @param writes true for one that gives the register its value; else it has seen the value
 * @param value of the register
 * @param call the moment of the call
 * @param end the moment of the answer; {@link #OPEN} without one: it may take effect at any later moment, or never
 */
public record RecordedOperation(int client, boolean writes, long value, long call, long end) {
    /** The end of an operation without an answer. */
    public static final long OPEN = Long.MAX_VALUE;

    private static final String MARK = "operation";
    private static final int FIELDS = 7;

    /**
     * A line of a record.
     *
     * @param register the name of the register
     */
    public record Of(String register, RecordedOperation operation) {}

    /** Returns true for a line that {@link #line} has made. */
    public static boolean isOne(String line) {
        return line.startsWith(MARK + " ");
    }

    /** Returns a line of a record. The name has no space. */
    public String line(String register) {
        return "%s %s %d %s %d %d %d".formatted(MARK, register, client, writes ? "write" : "read", value, call, end);
    }

    /** Returns what a line says. */
    public static Of parse(String line) {
        String[] fields = line.split(" ", -1);
        if (fields.length != FIELDS || !isOne(line)) {
            throw new IllegalArgumentException("no operation of a client: " + line);
        }
        return new Of(
                fields[1],
                new RecordedOperation(
                        Integer.parseInt(fields[2]),
                        fields[3].equals("write"),
                        Long.parseLong(fields[4]),
                        Long.parseLong(fields[5]),
                        Long.parseLong(fields[6])));
    }
}
