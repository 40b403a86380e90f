// +groupName=spread.example.com

package spread
