// SPDX-License-Identifier: Apache-2.0
package io.packing.sim.bill;

/** The directory by which a bill adds up what is below it. */
public final class BillDirectory {
    private BillDirectory() {}

    /**
     * Returns the first names of a path that are directories, at most {@code depth} of them.
     *
     * @param path such as {@code /a/b/file}
     */
    public static String of(String path, int depth) {
        int end = 0;
        for (int i = 0; i < depth; i++) {
            int next = path.indexOf('/', end + 1);
            if (next < 0) {
                break;
            }
            end = next;
        }
        return end == 0 ? "/" : path.substring(0, end);
    }
}
