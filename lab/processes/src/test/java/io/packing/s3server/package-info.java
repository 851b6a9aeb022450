@NullMarked
package io.packing.s3server;

import org.jspecify.annotations.NullMarked;
