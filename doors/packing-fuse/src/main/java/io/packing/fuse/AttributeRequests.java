// SPDX-License-Identifier: Apache-2.0
package io.packing.fuse;

import java.io.IOException;

/** Requests about attributes of nodes. */
final class AttributeRequests {
    private static final int MOST_VALUE_BYTES = 64 << 10;

    private final FuseFileSystem files;

    AttributeRequests(FuseFileSystem files) {
        this.files = files;
    }

    /** Answers the request; false when it is another kind of request. */
    boolean answer(Opcode opcode, Request request) throws FuseException, IOException {
        Reply reply = request.reply();
        switch (opcode) {
            case GETATTR -> reply.attributes(files.attributes(request.caller(), request.node()));
            case SETATTR -> setAttributes(request);
            case READLINK -> reply.bytes(files.readLink(request.caller(), request.node()));
            case STATFS -> reply.space(files.space(request.caller(), request.node()));
            case ACCESS ->
                files.access(request.caller(), request.node(), request.in().int32());
            case SETXATTR -> setExtended(request);
            case GETXATTR -> extended(request, true);
            case LISTXATTR -> extended(request, false);
            case REMOVEXATTR ->
                files.removeExtendedAttribute(
                        request.caller(), request.node(), request.in().attributeName());
            default -> {
                return false;
            }
        }
        return true;
    }

    private void setAttributes(Request request) throws FuseException, IOException {
        AttributeUpdate update = AttributeUpdate.read(request.in());
        if (update.drops()) {
            files.dropPrivileges(request.caller(), request.node());
        }
        request.reply().attributes(files.setAttributes(request.caller(), request.node(), update));
    }

    private void setExtended(Request request) throws FuseException, IOException {
        int size = request.in().int32();
        int flags = request.in().int32();
        String name = request.in().attributeName();
        if (size < 0 || request.in().remaining() != size) {
            throw new FuseException(Errno.EINVAL);
        }
        if (size > MOST_VALUE_BYTES) {
            throw new FuseException(Errno.E2BIG);
        }
        byte[] value = new byte[size];
        request.in().bytes(size).get(value);
        files.setExtendedAttribute(request.caller(), request.node(), name, value, flags);
    }

    private void extended(Request request, boolean one) throws FuseException, IOException {
        int size = request.in().int32();
        request.in().skip(4);
        byte[] found = one
                ? files.extendedAttribute(
                        request.caller(), request.node(), request.in().attributeName())
                : files.extendedAttributes(request.caller(), request.node());
        if (size == 0) {
            // A request for no bytes asks for the length.
            request.reply().int32(found.length).int32(0);
        } else if (found.length > size) {
            throw new FuseException(Errno.ERANGE);
        } else {
            request.reply().bytes(found);
        }
    }
}
