// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.io.IOException;
import java.nio.file.Path;
import java.util.Map;

/**
 * A master as a process of its own, for tests: prints its port, and ends when its input does. Its arguments are its data
 * directory and the store that it may use.
 */
final class SmallMaster {
    private SmallMaster() {}

    public static void main(String[] arguments) throws IOException {
        BdtMaster master = BdtMaster.start(BdtMasterOptions.from(Map.of(
                        "bdt.data.dir", Path.of(arguments[0]).toString(), "bdt.port", "0", "bdt.stores", arguments[1])))
                .serve();
        System.out.println(master.port());
        System.out.flush();
        while (System.in.read() >= 0) {
            // Nothing is ever said.
        }
        master.close();
    }
}
