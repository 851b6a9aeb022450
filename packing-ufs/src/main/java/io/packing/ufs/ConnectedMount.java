// SPDX-License-Identifier: Apache-2.0
package io.packing.ufs;

import alluxio.util.CommonUtils;
import io.packing.worker.api.PackingFileSystem;
import java.io.IOException;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The connection behind one under file system instance, made when Alluxio says from which process it connects, or at
 * the first use by a process that does not say. A connection that failed is tried again by the next call. Thread-safe.
 */
final class ConnectedMount {
    private final MountConnector connector;
    private final ReentrantLock connecting = new ReentrantLock();
    private volatile @Nullable PackingFileSystem connected;

    ConnectedMount(MountConnector connector) {
        this.connector = connector;
    }

    void connectFromMaster(String host) throws IOException {
        connect(AlluxioRole.MASTER, host);
    }

    /**
     * Connects from a worker. Alluxio's workers and job workers both call this; only the type of the process tells them
     * apart.
     */
    void connectFromWorker(String host) throws IOException {
        boolean jobWorker = CommonUtils.PROCESS_TYPE.get() == CommonUtils.ProcessType.JOB_WORKER;
        connect(jobWorker ? AlluxioRole.JOB_WORKER : AlluxioRole.WORKER, host);
    }

    PackingFileSystem files() throws IOException {
        PackingFileSystem files = connected;
        return files != null ? files : connect(AlluxioRole.CLIENT, "");
    }

    private PackingFileSystem connect(AlluxioRole role, String host) throws IOException {
        connecting.lock();
        // Alluxio sets the extension's class loader only while it creates the instance, but the libraries of the mount
        // look up their services through the context class loader, and here is where they start.
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        thread.setContextClassLoader(ConnectedMount.class.getClassLoader());
        try {
            PackingFileSystem files = connected;
            if (files == null) {
                files = connector.connect(role, host);
                connected = files;
            }
            return files;
        } catch (IllegalArgumentException e) {
            // A wrong option. Alluxio shows the message of an IOException to the operator who mounts.
            throw new IOException(e.getMessage(), e);
        } finally {
            thread.setContextClassLoader(before);
            connecting.unlock();
        }
    }
}
