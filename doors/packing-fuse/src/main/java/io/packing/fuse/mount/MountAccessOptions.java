// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse.mount;

import java.util.List;

/**
 * The users that a mount admits, and the privileges that its files give on the machine.
 *
 * @param others whether users other than root may use it; if not, the kernel refuses them whatever a file's mode is
 * @param suid whether set-user-ID bits, set-group-ID bits and capabilities of files count
 * @param devices whether devices can be opened
 * @param hidden whether the directory above the mount has to be root's alone
 */
public record MountAccessOptions(boolean others, boolean suid, boolean devices, boolean hidden) {
    /** Files for all users, whose rights are those of the files. */
    public static final MountAccessOptions FILES = new MountAccessOptions(true, false, false, false);

    /**
     * Trees of images below overlays. An overlay reads them as root, who mounted it, and its own mount says what
     * set-user-ID bits and devices may do. So a container needs neither here, and no other user needs to come in.
     */
    public static final MountAccessOptions TREES = new MountAccessOptions(false, false, false, true);

    /**
     * The root of a container without an overlay. All users of the container use it, and set-user-ID programs of its image have to work.
     * Engines mount the devices of a container themselves.
     */
    public static final MountAccessOptions CONTAINER = new MountAccessOptions(true, true, false, true);

    /** Returns the access with set-user-ID bits and capabilities that count, if asked for, and with devices that open, if asked for. */
    public MountAccessOptions with(boolean suidToo, boolean devicesToo) {
        return new MountAccessOptions(others, suid || suidToo, devices || devicesToo, hidden);
    }

    /** Returns the options for {@code mount -o}. */
    List<String> options() {
        String set = suid ? "suid" : "nosuid";
        String dev = devices ? "dev" : "nodev";
        return others ? List.of(set, dev, "allow_other") : List.of(set, dev);
    }
}
