// SPDX-License-Identifier: Apache-2.0
package io.packing.worker.security;

import io.packing.bdt.Bdt;
import io.packing.bdt.client.GrpcBdts;
import io.packing.worker.api.MountOptions;
import io.packing.worker.client.RemotePackingFileSystem;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/** The connections of users to a secured rig, opened at their first use. */
final class Users implements AutoCloseable {
    static final String OWNER = "alice";
    static final String MEMBER = "bob";
    static final String OTHER = "carol";
    static final String GROUP = "staff";
    static final String SUPERUSER = "root";

    private final SecuredRig rig;
    private final Map<String, GrpcBdts> masters = new HashMap<>();
    private final Map<String, RemotePackingFileSystem> mounts = new HashMap<>();

    Users(SecuredRig rig) {
        this.rig = rig;
    }

    /** Returns a user's mount; root is a superuser. */
    RemotePackingFileSystem mount(String user) throws IOException {
        RemotePackingFileSystem known = mounts.get(user);
        if (known != null) {
            return known;
        }
        String subject = "CN=" + user + (user.equals(SUPERUSER) ? ", O=packing-superuser" : "");
        MountOptions options = rig.certified(user, subject);
        GrpcBdts bdts = rig.bdts(options.security());
        masters.put(user, bdts);
        RemotePackingFileSystem opened = SecuredRig.open(bdts, options);
        mounts.put(user, opened);
        return opened;
    }

    Bdt bdt(String user) throws IOException {
        return mount(user).bdt();
    }

    @Override
    public void close() throws IOException {
        for (RemotePackingFileSystem mount : mounts.values()) {
            mount.close();
        }
        masters.values().forEach(GrpcBdts::close);
    }
}
