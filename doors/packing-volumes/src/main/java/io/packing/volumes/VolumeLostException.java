// SPDX-License-Identifier: Apache-2.0
package io.packing.volumes;

import java.io.IOException;

/** A volume that another client has changed, replaced or deleted. Its server can write no more. */
public final class VolumeLostException extends IOException {
    private static final long serialVersionUID = 1;

    VolumeLostException(String message) {
        super(message);
    }
}
