// SPDX-License-Identifier: Apache-2.0
package io.packing.cli.operate;

import io.packing.bdt.client.SharedMountOptionsClient;
import java.io.PrintWriter;
import java.util.Map;
import java.util.Set;

/**
 * The options that hold for all clients of a mount, as printed.
 *
 * @param options with their values, by key
 * @param set those that were set; the others have their defaults
 */
public record SharedOptionsReport(String mount, Map<String, String> options, Set<String> set) {
    public static SharedOptionsReport of(SharedMountOptionsClient.MountOptionsReply told) {
        return new SharedOptionsReport(told.mount(), told.options(), told.set());
    }

    public void print(PrintWriter out) {
        out.println("mount %s".formatted(mount));
        options.forEach(
                (key, value) -> out.println("  %s=%s%s".formatted(key, value, set.contains(key) ? "" : "  (default)")));
    }
}
