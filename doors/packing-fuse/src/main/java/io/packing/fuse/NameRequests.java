// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;

/** Requests about names in directories. */
final class NameRequests {
    private static final int PATH_MAX = 4096;

    private final FuseFileSystem files;

    NameRequests(FuseFileSystem files) {
        this.files = files;
    }

    /** Answers the request; false when it is another kind of request. */
    boolean answer(Opcode opcode, Request request) throws FuseException, IOException {
        MessageReader in = request.in();
        switch (opcode) {
            case LOOKUP -> request.reply().entry(files.lookup(request.caller(), request.node(), in.existingName()));
            case SYMLINK -> symlink(request);
            case MKNOD -> makeNode(request);
            case MKDIR -> makeDirectory(request);
            case UNLINK -> files.unlink(request.caller(), request.node(), in.existingName());
            case RMDIR -> files.removeDirectory(request.caller(), request.node(), in.existingName());
            case RENAME -> rename(request, false);
            case RENAME2 -> rename(request, true);
            case LINK -> link(request);
            case CREATE -> create(request);
            default -> {
                return false;
            }
        }
        return true;
    }

    private void symlink(Request request) throws FuseException, IOException {
        String name = request.in().entryName();
        byte[] target = request.in().untilNul();
        if (target.length == 0 || target.length >= PATH_MAX) {
            throw new FuseException(target.length == 0 ? Errno.ENOENT : Errno.ENAMETOOLONG);
        }
        request.reply().entry(files.symlink(request.caller(), request.node(), name, target));
    }

    private void makeNode(Request request) throws FuseException, IOException {
        int mode = request.in().int32();
        int device = request.in().int32();
        Caller caller = request.caller().withUmask(request.in().int32());
        request.in().skip(4);
        String name = request.in().entryName();
        request.reply().entry(files.makeNode(caller, request.node(), name, mode, device));
    }

    private void makeDirectory(Request request) throws FuseException, IOException {
        int mode = request.in().int32();
        Caller caller = request.caller().withUmask(request.in().int32());
        String name = request.in().entryName();
        request.reply().entry(files.makeDirectory(caller, request.node(), name, mode & Mode.PERMISSIONS));
    }

    private void rename(Request request, boolean flagged) throws FuseException, IOException {
        long newParent = request.in().int64();
        RenameKind kind = RenameKind.REPLACE;
        if (flagged) {
            kind = RenameKind.of(request.in().int32());
            request.in().skip(4);
        }
        String name = request.in().existingName();
        String newName = request.in().entryName();
        files.rename(request.caller(), request.node(), name, newParent, newName, kind);
    }

    private void link(Request request) throws FuseException, IOException {
        long node = request.in().int64();
        String name = request.in().entryName();
        request.reply().entry(files.link(request.caller(), node, request.node(), name));
    }

    private void create(Request request) throws FuseException, IOException {
        int flags = request.in().int32();
        int mode = request.in().int32();
        Caller caller = request.caller().withUmask(request.in().int32());
        request.in().skip(4);
        String name = request.in().entryName();
        Created created = files.create(caller, request.node(), name, mode & Mode.PERMISSIONS, flags);
        request.reply().entry(created.entry()).opened(created.opened());
    }
}
