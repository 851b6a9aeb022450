// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import io.packing.blob.FilePath;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The owners with which the last files of this process were created. An Alluxio worker sets the owner of every file
 * right after its close, to that of the create; remembering it spares one journaled change per file. An entry is used
 * once, and one that is pushed out costs only that change. Thread-safe.
 */
final class RecentOwners {
    private static final int CAPACITY = 4096;

    private record Owner(String user, String group) {}

    private final Map<FilePath, Owner> owners = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<FilePath, Owner> eldest) {
            return size() > CAPACITY;
        }
    };

    synchronized void created(FilePath path, String user, String group) {
        owners.put(path, new Owner(user, group));
    }

    /** Returns whether the file was just created with this owner, so that the owner need not be set. */
    synchronized boolean alreadySet(FilePath path, String user, String group) {
        return new Owner(user, group).equals(owners.remove(path));
    }
}
