// SPDX-License-Identifier: Apache-2.0
package io.packing.hadoop;

import org.apache.hadoop.conf.Configuration;

/**
 * Settings that the jar brings for {@code FileContext} and for the committers of jobs. Hadoop asks a configuration for them by the
 * scheme, and has no service for them as it has for file systems.
 */
final class JarDefaults {
    private static final String RESOURCE = "packing-default.xml";
    private static final String FILE_CONTEXT = "fs.AbstractFileSystem.packing.impl";

    private JarDefaults() {}

    /**
     * Adds them to all configurations of the process, those that are there already, too. Hadoop loads the classes of all file systems
     * before it makes the first one, so this comes in time for programs that use a {@code FileSystem} before a {@code FileContext}.
     */
    static void add() {
        // The resource that is added last wins, also against core-site.xml: a setting there stays.
        if (new Configuration().get(FILE_CONTEXT) == null) {
            Configuration.addDefaultResource(RESOURCE);
        }
    }
}
