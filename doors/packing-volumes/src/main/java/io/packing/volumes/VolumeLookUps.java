// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import io.packing.bdt.LocatedFile;
import io.packing.blob.FilePath;
import io.packing.worker.api.PackingFileSystem;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InterruptedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The look-ups of a volume's file in the table, by which its view gets a new base. Thread-safe. */
final class VolumeLookUps {
    private static final Logger LOG = LoggerFactory.getLogger(VolumeLookUps.class);

    private final PackingFileSystem mount;
    private final FilePath path;
    private final VolumeView view;

    VolumeLookUps(PackingFileSystem mount, FilePath path, VolumeView view) {
        this.mount = mount;
        this.path = path;
        this.view = view;
    }

    /**
     * Finds the file of a volume.
     *
     * @throws FileNotFoundException when the path has no file
     */
    static LocatedFile find(PackingFileSystem mount, FilePath path) throws IOException {
        return mount.bdt()
                .locate(path)
                .orElseThrow(() -> new FileNotFoundException(path + ": no such file, so no volume"));
    }

    /** Renews the base of the view, unless another thread has done so since the stale one was read. */
    void renewAfter(VolumeBase stale) throws IOException {
        try {
            while (view.base() == stale) {
                if (view.beginRenewal()) {
                    renew();
                } else {
                    view.awaitRenewal();
                }
            }
        } catch (InterruptedException e) {
            throw interrupted(e);
        }
    }

    private void renew() throws IOException {
        boolean done = false;
        try {
            LocatedFile now = find(mount, path);
            view.renewed(new VolumeBase(now, mount.open(now)));
            done = true;
        } finally {
            if (!done) {
                view.renewalFailed();
            }
        }
    }

    /** Does the renewal that the caller began; a failure leaves the old base. */
    void renewQuietly() {
        try {
            renew();
        } catch (IOException e) {
            LOG.warn("{} was not looked up again, and needs memory: {}", path, e.getMessage());
        }
    }

    /** Returns the failure of an interrupted call, whose thread stays interrupted. */
    static InterruptedIOException interrupted(InterruptedException cause) {
        Thread.currentThread().interrupt();
        InterruptedIOException failure = new InterruptedIOException("interrupted");
        failure.initCause(cause);
        return failure;
    }
}
