// SPDX-License-Identifier: Apache-2.0
package io.packing.lab.suite;

import io.packing.lab.direct.DirectClient;
import io.packing.lab.direct.DirectKind;
import io.packing.lab.direct.DirectStore;
import io.packing.lab.direct.PacedClient;
import io.packing.lab.direct.SdkClient;
import io.packing.lab.hadoop.S3aClient;
import io.packing.rig.EngineRig;
import io.packing.rig.S3Process;
import java.io.IOException;
import java.nio.file.Path;

/**
 * The part of a rig's bucket without packing, with a folder for the objects of each kind of client.
 *
 * @param scratch a folder for the files that S3A buffers
 */
record DirectClients(EngineRig rig, Path scratch) implements DirectStore {
    @Override
    public DirectClient open(DirectKind kind) throws IOException {
        S3Process s3 = rig.s3();
        String prefix = EngineRig.DIRECT + "/" + kind.label();
        return switch (kind) {
            case SDK -> SdkClient.open(s3.endpoint(), s3.accessKey(), s3.secretKey(), S3Process.BUCKET, prefix);
            case S3A -> S3aClient.open(s3, prefix, scratch);
            case PACED -> new PacedClient(rig.direct());
        };
    }
}
