// SPDX-License-Identifier: Apache-2.0
package io.packing.cluster;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The options with which Alluxio's own S3 under file system reaches an S3 server other than Amazon's.
 *
 * @param endpoint address of the server
 * @param accessKey access key id
 * @param secretKey secret of the access key
 */
public record S3Mount(URI endpoint, String accessKey, String secretKey) {
    public Map<String, String> options() {
        Map<String, String> options = new LinkedHashMap<>();
        options.put("s3a.accessKeyId", accessKey);
        options.put("s3a.secretKey", secretKey);
        options.put("alluxio.underfs.s3.endpoint", endpoint.toString());
        options.put("alluxio.underfs.s3.endpoint.region", "us-east-1");
        options.put("alluxio.underfs.s3.disable.dns.buckets", "true");
        options.put("alluxio.underfs.s3.inherit.acl", "false");
        return options;
    }
}
