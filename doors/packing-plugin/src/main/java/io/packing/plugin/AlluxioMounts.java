// SPDX-License-Identifier: Apache-2.0
package io.packing.plugin;

import alluxio.client.file.FileSystem;
import alluxio.conf.Configuration;
import alluxio.exception.AlluxioException;
import alluxio.resource.CloseableResource;
import alluxio.underfs.UfsManager;
import alluxio.underfs.UnderFileSystem;
import alluxio.wire.MountPointInfo;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The mounts that Alluxio's master knows, opened through the worker's own manager of under file systems. */
record AlluxioMounts(UfsManager ufsManager) implements StartupMounts.Mounts {
    private static final String SCHEME = "packing://";

    @Override
    public Map<String, Long> packing() throws IOException {
        try (FileSystem client = FileSystem.Factory.create(Configuration.global())) {
            Map<String, Long> found = new HashMap<>();
            for (Map.Entry<String, MountPointInfo> mount :
                    client.getMountTable(false).entrySet()) {
                if (mount.getValue().getUfsUri().startsWith(SCHEME)) {
                    found.put(mount.getKey(), mount.getValue().getMountId());
                }
            }
            return found;
        } catch (AlluxioException e) {
            throw new IOException(e.getMessage(), e);
        }
    }

    @Override
    public void open(long mountId) throws IOException {
        try (CloseableResource<UnderFileSystem> opened = ufsManager.get(mountId).acquireUfsResource()) {
            // Alluxio connects the file system before it lends it out, and this connect starts our worker.
            UnderFileSystem unused = opened.get();
        }
    }
}
