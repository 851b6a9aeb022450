// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.io.IOException;
import java.util.Map;

/**
 * A master of a group as a process of its own, for tests: says that it serves, and is killed in the end. Its arguments are its data
 * directory, its port, the store that it may use, the list of groups and which is its own.
 */
public final class GroupMaster {
    private GroupMaster() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir", arguments[0],
                        "bdt.port", arguments[1],
                        "bdt.stores", arguments[2],
                        "bdt.mounts.groups", arguments[3],
                        "bdt.mounts.group", arguments[4])))
                .serve();
        System.out.println("serves at " + master.port());
        System.out.flush();
        master.awaitTermination();
    }
}
