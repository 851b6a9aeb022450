// SPDX-License-Identifier: Apache-2.0
package io.packing.bdt.master;

import java.io.IOException;

/** The decision where a mount is opened anew. */
interface Relocation {
    /**
     * Returns the request to open the mount by.
     *
     * @param request by which it would be opened again where it is
     */
    MountRequest next(Mount mount, MountRequest request) throws IOException;
}
